"""Table view: painter, camera, aiming, playback, sounds and text of a table of flicks."""
