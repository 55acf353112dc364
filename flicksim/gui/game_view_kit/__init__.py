"""Parts that several game views share: layout, side views, sliders, scores, images and miniatures."""
