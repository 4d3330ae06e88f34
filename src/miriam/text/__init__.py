"""From files to tokens and back: streams, tokenisers, case, placeholders."""
