"""The pages: tables in the browser, drawn from the view alone. `docs/web.md` tells how."""
