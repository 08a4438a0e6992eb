"""Pelagos in a browser: what takes the place there of what Python has elsewhere.

`web/static/rules.js` loads a game's module of WebAssembly, for `engine.browser`. `standins` is a
folder to be put on the path in the browser alone.
"""
