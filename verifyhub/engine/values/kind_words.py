"""Words of closed kinds: a colour, a city, a make of car, a person's first name.

A record that has one colour makes another colour of the answer a value as well, which
no spelling tells. Words that mean something else in an ordinary sentence are left out.
"""

import re

from verifyhub.engine.text.tokens import word_set

# One kind a row; commas part its words. Behind `~` is one that records may have, and
# that means something else as a rule where an answer has it.
_KINDS = """
red, orange, silver, gold, bronze, blue, green, yellow, purple, pink, black, white, grey, gray, brown, beige, teal, navy, turquoise, maroon, magenta, cyan, ivory, khaki, burgundy, rose gold, space gray, space grey
leather, cotton, polyester, wool, silk, denim, linen, rubber, vinyl, latex, silicone, plastic, wood, wooden, bamboo, maple, oak, walnut, glass, ceramic, steel, stainless steel, aluminum, aluminium, metal, titanium, canvas, nylon, fabric, suede, fleece, mesh, sunbrella, olefin, hardshell, softshell, polycarbonate, porcelain, marble, velvet
striped, floral, checkered, plaid, polka dot, paisley, camouflage
hip-hop, jazz, reggae, electropop, techno, rap, opera, ~pop, ~rock, ~country, ~folk, ~blues, ~soul, ~metal, ~classical, ~electronic, ~indie
museum, theme park, amusement park, water park, shopping mall, zoo, aquarium, sports arena, stadium, opera house, art gallery, casino, planetarium, botanical garden, ~park, ~nature preserve, ~historical landmark, ~place of worship, ~shopping area, ~theater, ~performing arts venue, ~sports venue, ~garden, ~landmark, ~beach
comedy, drama, horror, thriller, romance, sci-fi, documentary, animation, fantasy, biographical, musical, biography
mexican, italian, chinese, indian, japanese, thai, american, french, korean, vietnamese, mediterranean, greek, turkish, ethiopian, filipino, spanish, lebanese, peruvian, brazilian, moroccan, asian, seafood, steakhouse, sushi, barbecue, pizza, vegetarian, vegan
english, spanish, hindi, french, german, mandarin, italian, japanese, korean, portuguese, russian, arabic, chinese, polish, dutch, turkish
dermatologist, gynecologist, cardiologist, pediatrician, psychiatrist, psychologist, ophthalmologist, urologist, neurologist, orthopedist, general practitioner, oncologist, endocrinologist, family counselor, radiologist, anesthesiologist, podiatrist, allergist
sedan, suv, hatchback, compact, full-size, mid-size, crossover, minivan, convertible, coupe, pickup truck, station wagon
toyota, honda, ford, kia, hyundai, nissan, mazda, subaru, bmw, audi, mercedes, mercedes-benz, volkswagen, chevrolet, jeep, tesla, volvo, lexus, dodge, fiat, renault, peugeot, citroen, skoda, opel, acura, infiniti, buick, cadillac, gmc, chrysler, mitsubishi, porsche, jaguar, land rover, seat
checking, savings, money market, business account
inexpensive, moderate, expensive, pricey, cheap, luxury
viewer, editor, commenter, contributor
sunny, cloudy, rainy, snowy, foggy, stormy, overcast
economy, basic economy, premium economy, business class, first class
ups, fedex, usps, dhl, hermes, royal mail, canada post
visa, mastercard, american express, amex, discover card, paypal, apple pay, google pay, venmo, klarna, debit card, gift card, bank transfer, wire transfer, cash
kitchen, patio, bedroom, living room, bathroom, garage, basement, dining room
penicillin, latex, ibuprofen, aspirin, amoxicillin, sulfa, peanuts, shellfish, metformin, lisinopril, atorvastatin, warfarin, codeine
apartment, condo, townhouse, bungalow, penthouse
wireless, wired, bluetooth
bagged, bagless
gas, charcoal, propane
linear, tactile, clicky
carbonated, decaf, espresso
round-trip, one-way
suspended, frozen, deactivated, reinstated, terminated
overdue, unpaid, disputed, refunded
on time, delayed, diverted, boarding
monday, tuesday, wednesday, thursday, friday, saturday, sunday
android, ios, windows, macos, linux
gmail, outlook, yahoo, hotmail, icloud
alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida, hawaii, idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland, massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada, new hampshire, new jersey, new mexico, north carolina, north dakota, ohio, oklahoma, oregon, pennsylvania, rhode island, south carolina, south dakota, tennessee, texas, utah, vermont, virginia, west virginia, wisconsin, wyoming
"""  # noqa: E501
_PLACES = """
new york, new york city, nyc, los angeles, chicago, houston, phoenix, philadelphia,
san antonio, san diego, dallas, austin, san jose, jacksonville, fort worth, columbus,
charlotte, indianapolis, san francisco, seattle, denver, washington, boston,
nashville, detroit, oklahoma city, portland, las vegas, memphis, louisville,
baltimore, milwaukee, albuquerque, tucson, fresno, sacramento, kansas city, atlanta,
omaha, colorado springs, raleigh, miami, long beach, virginia beach, oakland,
minneapolis, tulsa, tampa, arlington, new orleans, wichita, cleveland, bakersfield,
anaheim, honolulu, santa ana, riverside, stockton, saint louis, st louis, pittsburgh,
cincinnati, anchorage, orlando, newark, irvine, fremont, chula vista, buffalo, boise,
richmond, spokane, tacoma, salem, eugene, des moines, salt lake city, montgomery,
tallahassee, providence, hartford, burlington, montpelier, savannah, charleston,
birmingham, knoxville, reno, berkeley, palo alto, mountain view, sunnyvale, santa
clara, cupertino, milpitas, hayward, walnut creek, pleasanton, dublin, danville, san
ramon, antioch, vacaville, fairfield, napa, petaluma, santa rosa, novato, san rafael,
sausalito, mill valley, half moon bay, san mateo, redwood city, menlo park, los gatos,
saratoga, campbell, morgan hill, gilroy, union city, castro valley, emeryville,
alameda, san leandro, san lorenzo, san bruno, daly city, burlingame, millbrae, foster
city, san carlos, pinole, vallejo, benicia, pittsburg, brentwood, lafayette, orinda,
moraga, livermore, concord, santa cruz, santa barbara, monterey, toronto, vancouver,
montreal, ottawa, calgary, mexico city, london, manchester, edinburgh, glasgow, paris,
lyon, marseille, nice, berlin, munich, hamburg, frankfurt, cologne, vienna, zurich,
geneva, rome, milan, florence, venice, naples, madrid, barcelona, seville, valencia,
lisbon, porto, amsterdam, rotterdam, brussels, copenhagen, stockholm, oslo, helsinki,
warsaw, prague, budapest, athens, istanbul, moscow, dubai, abu dhabi, delhi, new
delhi, mumbai, bangalore, chennai, singapore, hong kong, tokyo, osaka, kyoto, seoul,
beijing, shanghai, bangkok, kuala lumpur, jakarta, manila, sydney, melbourne,
brisbane, perth, auckland, cairo, nairobi, lagos, cape town, johannesburg, sao paulo,
rio de janeiro, buenos aires, bogota, lima
"""
_PEOPLE = """
james, john, robert, michael, william, david, richard, joseph, thomas, charles,
daniel, matthew, anthony, steven, andrew, kenneth, kevin, brian, george, edward,
ronald, timothy, jason, jeffrey, ryan, jacob, nicholas, eric, jonathan, stephen,
larry, justin, scott, brandon, benjamin, samuel, gregory, alexander, patrick, raymond,
dennis, jerry, tyler, aaron, jose, adam, nathan, henry, zachary, douglas, peter, kyle,
noah, ethan, jeremy, liam, mason, lucas, oliver, elijah, mary, patricia, jennifer,
linda, elizabeth, barbara, susan, jessica, sarah, karen, lisa, nancy, betty, sandra,
margaret, ashley, kimberly, emily, donna, michelle, carol, amanda, melissa, deborah,
stephanie, rebecca, sharon, laura, cynthia, dorothy, amy, kathleen, angela, shirley,
emma, brenda, pamela, nicole, anna, samantha, katherine, christine, helen, debra,
rachel, carolyn, janet, maria, catherine, heather, diane, olivia, julie, joyce,
victoria, kelly, christina, lauren, joan, evelyn, olivia, judith, megan, andrea,
cheryl, hannah, jacqueline, martha, gloria, teresa, sara, madison, julia, ava,
isabella, sophia, mia, amelia, harper, chloe, zoe, mei, lei, yusuf, fatima, aarav,
ivan, omar, raj, priya, anita, ahmed, mohamed, ali, juan, carlos, luis, diego, pablo,
elena, lucia, carmen, pierre, jean, marie, claire, hans, klaus, ingrid, heidi, giulia,
marco, luca, yuki, kenji, wei, ming, chen, yara
"""
_STATE_CODES = """
AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH
NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC
"""
PLACE, PERSON = "place", "person"


def _kinds() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    rows = [
        *enumerate(map(str.strip, _KINDS.strip().splitlines())),
        (PLACE, " ".join(_PLACES.split())),
        (PERSON, " ".join(_PEOPLE.split())),
    ]
    for kind, row in rows:
        for name in row.split(","):
            joined = "".join(re.findall(r"[^\W_]+", name))
            table.setdefault(("~" in name) * "~" + joined, set()).add(str(kind))
    return {name: frozenset(kinds) for name, kinds in table.items()}


# Each name without blanks and joints, with the kinds that it is of.
KINDS = _kinds()
MOST_WORDS = 3
STATE_CODES = frozenset(_STATE_CODES.split())
# Levels and the like are values only beside the word of the field.
LEVELS = word_set(
    """
    low medium high urgent critical normal standard express overnight economy basic
    premium plus pro enterprise business starter gold silver platinum bronze regular
    free deluxe small large active inactive open closed paid unpaid
    """
)
# Words with a capital that name nothing of a run.
ORDINARY = word_set(
    """
    customer support service services help center centre settings menu account profile
    terms conditions policy option step item order suite apt street avenue economy
    business premium first class standard basic express priority online app store play
    google apple wi-fi bluetooth internet windows mac android email eastern pacific
    central mountain time christmas thanksgiving easter new year federal north south
    east west american european international domestic local mobile home work you your
    hi hello dear thanks thank youtube facebook instagram whatsapp linkedin iphone
    ipad macbook wifi yes no the this that these those please note details summary
    total status next current available confirm confirmation information payment
    method shipping delivery refund return exchange gift card credit debit balance
    price item items monday tuesday wednesday thursday friday saturday sunday january
    february march april may june july august september october november december
    english section team human agent representative manager department security
    privacy faq guest chat phone website portal dashboard inbox spam junk folder network
    airplane mode data sim device fahrenheit celsius kelvin out
    """
)
GERMAN = word_set("und der die das ist nicht ihre ihr sie ich wurde wird für mit")
