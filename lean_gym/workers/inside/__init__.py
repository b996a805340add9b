"""Programs that run inside containers, each by `python3 -c SOURCE`: only Python's standard library, 3.8 or later."""
