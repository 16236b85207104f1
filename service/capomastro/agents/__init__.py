"""Tables for language models: games over the Model Context Protocol, `capomastro mcp` (docs/agents.md).

`keys` says who sits where, `tables` holds the games of a process, `folder` keeps them as records, `tools` answers the
calls with texts, and `server` speaks the protocol: only this last module needs the extra `agents`.

A seat is answered from its own view alone (`Position.seen_by`): whatever that hides cannot be in an answer.
"""
