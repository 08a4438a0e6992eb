"""anyio's place in a browser: what Starlette asks of it where there are no threads."""
