"""Load a model, translate, and look at other ways to say it."""

from mark import lines, mark_model

model = mark_model()

# One sentence, or a list of them.
print(model.translate("And he saith unto them, Whence come ye?"))
verses = lines("jonah.old.en")[:3]
for old, new in zip(verses, model.translate(verses), strict=True):
    print(f"\n{old}\n{new}")

# The best translations of a sentence, each of other words, with the model's score and the share
# that the words have in the probability of the list.
print("\nWhat thinkest thou?")
for candidate in model.decode("What thinkest thou?", nbest=5, distinct=True):
    print(f"{candidate.score:8.3f}  {candidate.confidence:5.1%}  {candidate.text}")
