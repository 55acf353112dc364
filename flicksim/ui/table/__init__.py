"""A table seen, heard and aimed at: painter, view, aims, and what stands beside it in words."""
