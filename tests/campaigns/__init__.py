"""Campaigns against the service: long searches for requests it answers wrongly (`fuzz`) or slowly (`slowest`).

They run in process, through the WSGI application, by themselves (`make fuzz`, `make slowest`); what they have found
once is kept in `found/` and asked again by the tests.
"""
