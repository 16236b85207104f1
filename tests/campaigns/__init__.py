"""Campaigns against the service: long searches for requests that it answers wrongly or slowly.

`fuzz` and `playing_on` look for wrong answers, `slowest` for slow ones, `sheet_costs` for scoresheets that take much
work. They run in process, through the WSGI application, by themselves (`make campaign`); what they have found once is
kept in `found/` and asked again by the tests.
"""
