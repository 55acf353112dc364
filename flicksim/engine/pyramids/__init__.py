"""3D simulation of pyramids as hollow rigid shells that fly, tumble, lean and nest, until all are at rest.

Vertices and edges collide with the table, its edge and the walls of other pieces, outside and inside their hollows.
"""
