"""What the player asks before a turn: the recording knows the answers."""
import re

from says import wait_of


class Questions:
    """The part of a run that asks."""

    def questions(self):
        """A question before each turn: the words, the choices, the number of the right one, that
        of the event that decides, and its line; 0 if there is nothing to ask. What has always the
        same answer is not asked."""
        possible = [self.possible(t) if t else [] for t in range(len(self.turn_list))]
        dull = always((words[0], str(choices[0])) for its in possible for words, choices, _ in its)
        while True:
            found, last = [], None
            for t, kinds in enumerate(possible):
                kinds = [its for its in kinds if its[0][0] not in dull]
                kinds = kinds[t % len(kinds):] + kinds[:t % len(kinds)] if kinds else []
                asked = [re.sub(r'\d+', '#', f'{its[0][0]} {its[1][0]}') for its in kinds]
                n = next((n for n, its in enumerate(asked) if its != last), None)
                found.append(0 if n is None else self.ask(t, *kinds[n]))
                last = last if n is None else asked[n]
            more = always((its[0][0], str(its[1][its[2]])) for its in found if its)
            if not more:
                return found
            dull |= more

    def ask(self, t, words, choices, decides):
        start, right = self.turn_list[t][0], choices[0]
        at = [i for i, event in enumerate(self.part(self.turn_list, t), start) if decides(event)]
        at = max(at, default=start)
        choices = sorted(choices[:4], key=str)
        return [words, choices, choices.index(right), at, self.at(self.events[at]['stack'][-1])]

    def possible(self, t):
        """The questions before this turn: the words, the choices, the right one first, and which
        event decides."""
        start, who = self.turn_list[t]
        part, now = self.part(self.turn_list, t), self.events[start - 1]['now']
        after, kinds = self.after_turn(part, who), []
        begins_with_poll = any(event['stack'][-1][0].endswith('poll_sockets') for event in part)
        polls = now['w'] and ['poll'] * any(name == 'poll' for _, name in self.turn_list)
        exist = [key for _, key in self.turn_list
                 if key != 'main' and isinstance(now.get(key), list)]
        changed = [event for event in part if {'q', 'w', who} & set(event['delta'])]
        if who.startswith('task'):
            rest, me = [i for i in now['q'] if i != int(who[5:])], int(who[5:])
            if any(event['now']['w'] for event in self.events):
                ends = self.ends_of_turns(after, me)
                kinds.append((['after its turn', who], ends, changed.__contains__))
            queues = [after['q'], rest, [*rest, me], [me, *rest], after['q'][::-1]]
            queues = [[[str(i)] for i in queue] or ['nothing'] for queue in queues]
            kinds.append((['queue after', who], queues,
                          lambda event: event in changed and event['now']['q'] == after['q']))
        if who == 'poll':
            woken = [[task] for task in now['w'] if task not in after['w']]
            kinds.append((['poll wakes'], [woken or ['none'], *([[i]] for i in now['w']), ['none']],
                          lambda event: 'q' in event['delta'] if woken else event is part[-1]))
        if who in [*exist, 'poll'] and (len(now['q']) > 1 or now['w']):
            taken = next((event for event in part if f'task {event["delta"].get("r")}' == who),
                         part[0])
            others = [] if begins_with_poll and who != 'poll' else polls or []
            kinds.append((['whose'], [who, *exist, *others], lambda event: event is taken))
        near = [n for n in (t, t + 1, t - 1, t + 2) if 0 <= n < len(self.turn_list)]
        lines = [self.first_line(n) for n in near]
        if who != 'poll' and lines[0]:
            first = next(event for event in part if event['out'].strip())
            kinds.append((['prints first', who], [*filter(None, lines), ['nothing']], first.__eq__))
        kinds = [(words, [*{str(its): its for its in choices}.values()], decides)
                 for words, choices, decides in kinds]
        return [its for its in kinds if len(its[1]) > 1]

    def ends_of_turns(self, after, me):
        """Where a task is after its turn: so, or as the others are after theirs."""
        ends = [self.after_turn(self.part(self.turn_list, t), who)
                for t, (_, who) in enumerate(self.turn_list)]
        # A deadline would give itself away.
        waits = [['waiting for', wait_of(now, what[:2])]
                 for now in ends for what in now['w'].values()
                 if what != ['the end of', f'task {me}']]
        its = [['in the queue'] if me in after['q'] else ['has finished']]
        if wait := after['w'].get(str(me)):
            its = [['waiting for', wait_of(after, wait[:2])]]
        return [*its, ['in the queue'], ['has finished'], *waits]

    def first_line(self, t):
        lines = ''.join(event['out'] for event in self.part(self.turn_list, t)).split('\n')
        return next((line for line in lines if line.strip()), None)


def always(pairs):
    """The questions that are asked often, and have always the same answer."""
    answers = {}
    for words, answer in pairs:
        answers.setdefault(words, []).append(answer)
    return {words for words, given in answers.items() if len(given) > 2 and len(set(given)) == 1}
