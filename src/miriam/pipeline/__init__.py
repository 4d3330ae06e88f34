"""From text to a translator: training in steps that resume, and the translator itself."""
