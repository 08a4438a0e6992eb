"""Training networks by letting them play themselves: `pelagos train GAME`."""
