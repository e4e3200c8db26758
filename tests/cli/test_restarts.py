from verifyhub.cli.restarts import Restarts


def test_a_program_that_ends_at_once_is_started_again_for_ever_and_less_often():
    restarts, now, pauses = Restarts(), 100.0, []

    for _ in range(2000):
        pause = restarts.end(now)
        pauses.append(pause)
        now += pause
        restarts.start(now)

    assert pauses[:7] == [1, 2, 4, 8, 16, 30, 30]
    assert set(pauses[7:]) == {30}


def test_one_that_ran_for_a_while_is_started_again_soon():
    restarts = Restarts()
    for now in (1, 4, 8):
        restarts.end(now)
        restarts.start(now + 1)

    assert restarts.end(60) == 1
