"""Live tables: seats, moves as they come, the store, the news. No page: `api` is what pages use."""
