"""Arrays of a file, recognised and put together to a scene and the dump that it is from."""
