"""Ask why a sentence was translated as it was: its phrases, and what each feature added."""

from pathlib import Path

from mark import mark_model

model = mark_model()
best = model.decode("And straightway he entereth into the ship.")[0]
explanation = best.derivation.explain()
print(explanation)  # for a person; `.json()` is for a program

# Links between words, counted from 0: where a name, a tag or a footnote belongs.
derivation = best.derivation
for i, j in derivation.alignment:
    print(f"{derivation.source[i]} → {derivation.tokens[j]}")

page = Path("explanation.html")
page.write_text(f"<!doctype html><meta charset='utf-8'>{explanation.html()}", encoding="utf-8")
print(f"\nAs a page: {page}")
