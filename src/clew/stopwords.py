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

# Said in small talk: a question of nothing else asks a store for nothing. No words of time are among them: last night may be remembered.
TALKED = _words(
    "again appreciate awesome bored boring chat cheer chill cool doing else feel feeling fine fun funny get glad go going good gotcha "
    "great guess haha happy hear help helpful helped hmm hope know kind laugh like lol lonely lot love make maybe mean mind much need "
    "never nice perfect really right sad say see so sorry sound sounds speak stuff sure talk talking tell thing things think thought "
    "tired very want way welcome well wish wonderful wow yeah yep yes yourself"
)

# German, which writes every noun large: large words in such a question are no names. Without what English or a name has too (man, von).
GERMAN = _words(
    "auf aus bei beim das dass ein eine einem einen einer für haben ich ist kann können nach nicht oder sie sind soll sollen über und uns "
    "unser unsere wann warum welche welchem welchen welcher welches wenn werden wie wieso wir wird wo woher wohin wozu zur"
)
