"""Types that are only named."""
