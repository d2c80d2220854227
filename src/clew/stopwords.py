"""Words that say nothing about what a text is about: the ones no index keeps, and the ones only a question is full of."""

from __future__ import annotations


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# English function words; a written-out ALL CAPS form (IT, US, WHO) is kept by the caller.
COMMON = _words(
    "a about above after again against all also am an and any are aren arent as at be because been before being below between both but by "
    "can cannot cant could couldnt did didnt do does doesnt doing don dont down during each eg few for from further had hadnt has hasnt "
    "have havent having he her here hers herself him himself his how i ie if ill im in into is isnt it its itself ive just let lets "
    "me more most my myself no nor not of off on once only or other our ours ourselves out over own same shall she should "
    "shouldnt so some such than that thats the their theirs them themselves then there theres these they theyre this those through to "
    "too under until up us very was wasnt we were werent what whats when where which while who whom whose why will with wont would "
    "wouldnt you youd youll your youre yours yourself youve"
)

# Said when asking and seldom what is asked about.
ASKED = _words("please tell me show give hey hi hello thanks thank ok okay wondering remind anyone someone something")
