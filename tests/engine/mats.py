"""Mats of tiddlywinks with winks lying on them."""

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.scene import Scene, place_piece


def mat(*winks: tuple[str, float, float], options: Options = Options()) -> Scene:  # noqa: B008, it is frozen
    """Winks laid down one after another at these places [m], each on what lies there."""
    scene = Scene(surface=kit.mat_surface(options), pieces=())
    for name, x, y in winks:
        scene = scene.with_piece(place_piece(scene.pieces, kit.wink(options, name, (x, y)), (x, y)))
    return scene
