/** The texts of the page in German. */

export default {
  language: 'Deutsch',
  // Coming in
  welcome: 'Boxroom',
  welcome_text: 'Käsekästchen und andere Spiele, mit Menschen und Bots.',
  your_name: 'Dein Name',
  come_in: 'Hereinkommen',
  come_in_room: 'In den Raum {room}',
  name_help: "1 bis 24 Buchstaben, Ziffern, Leerzeichen und _ - . '",
  kept:
    'Dein Name gehört zu diesem Browser. Werden dessen Daten für diese Seite gelöscht, wie beim ' +
    'Schließen eines privaten Fensters, verlierst du ihn, und lange kann ihn niemand benutzen.',
  not_kept:
    'Dieser Browser merkt sich nichts: Schließt du die Seite, sind Name und Platz verloren.',
  name_taken: '{name} gehört hier schon jemandem: Nimm einen anderen Namen.',
  name_taken_help:
    'Ist es deiner, weiß dieser Browser das nicht mehr, weil seine Daten gelöscht wurden oder ' +
    'weil es ein anderer Browser ist. Wähle dort, wo du den Namen noch hast, Einstellungen, ' +
    '„Diesen Namen an einem anderen Gerät benutzen“. Hast du ihn nirgends mehr, kann der ' +
    'Betreiber des Servers ihn freigeben.',
  // Another device
  other_device: 'Diesen Namen an einem anderen Gerät benutzen',
  other_device_text:
    'Ein Link bringt deinen Namen und deinen Platz in den Browser eines anderen Geräts; auch ' +
    'dieser behält sie. Er gilt fünf Minuten und funktioniert ein Mal. Wer ihn öffnet, spielt ' +
    'als du: Schick ihn niemandem außer dir selbst.',
  make_link: 'Link machen',
  other_device_link: 'Link für das andere Gerät',
  identity_taken:
    'Ein anderes Gerät hat jetzt deinen Namen, durch den Link, den du gemacht hast. Ist es nicht ' +
    'deins, bitte den Betreiber des Servers, deinen Namen freizugeben.',
  arrival_text:
    'Dieser Link bringt einen Namen von einem anderen Gerät in diesen Browser. Benutze ihn nur, ' +
    'wenn du ihn selbst gemacht hast.',
  arrival_replaces: 'Hier heißt du {name}.',
  arrival_damaged: 'Dieser Link ist beschädigt. Kopiere ihn ganz, oder mach einen neuen.',
  no_such_code:
    'Dieser Link wurde schon benutzt oder ist älter als fünf Minuten. Mach einen neuen, wo du ' +
    'den Namen hast.',
  take_over: 'Den Namen hier benutzen',
  stay: 'Ohne ihn weiter',
  become_really:
    'In diesem Browser heißt du {former}. Willst du {name} werden? Dann heißt niemand mehr ' +
    '{former}, außer wenn ein anderes Gerät auch diesen Namen hat.',
  become: '{name} werden',
  // Connection
  connecting: 'Verbinde…',
  offline: 'Keine Verbindung. Was du tust, wird gesendet, sobald sie wieder da ist.',
  replaced: 'Du spielst jetzt in einem anderen Tab oder an einem anderen Gerät.',
  use_here: 'Hier spielen',
  banned: 'Der Betreiber dieses Servers lässt dich nicht herein.',
  // Lobby
  rooms: 'Offene Räume',
  no_rooms: 'Es gibt keinen offenen Raum. Mach einen auf!',
  new_room: 'Neuer Raum',
  room_code: 'Code eines Raums',
  join: 'Mitspielen',
  password: 'Passwort',
  needs_password: 'Der Raum {room} ist privat.',
  waiting: 'wartet',
  playing: 'im Spiel',
  over: 'zwischen zwei Spielen',
  people: { one: '{n} Mensch', other: '{n} Menschen' },
  bots: { one: '{n} Bot', other: '{n} Bots' },
  watching_n: { one: '{n} Zuschauer', other: '{n} Zuschauer' },
  empty_seats: { one: '{n} freier Platz', other: '{n} freie Plätze' },
  watch: 'Zuschauen',
  // Finished games
  my_games: 'Meine beendeten Spiele',
  no_games: 'Dieser Server hat kein beendetes Spiel von dir.',
  more_games: 'Ältere Spiele',
  game_unreadable: 'Dieser Server kann dieses Spiel nicht mehr zeigen.',
  // New room
  game: 'Spiel',
  seats: 'Plätze',
  opponents: 'Die anderen Plätze',
  for_people: 'für Menschen',
  level: 'Stufe: {name}',
  bot_named: 'Bot: {name}',
  clock: 'Sekunden für jeden Zug',
  clock_off: 'keine Uhr',
  private_room: 'Privat, mit Passwort',
  hints: 'Spieler dürfen nach Tipps fragen',
  takebacks: 'Zurücknahmen in einem Spiel',
  on_drop: 'Fällt ein Spieler aus',
  on_drop_bot: 'spielt ein Bot weiter',
  on_drop_wait: 'wartet das Spiel',
  on_drop_forfeit: 'verliert er das Spiel',
  create: 'Raum aufmachen',
  cancel: 'Abbrechen',
  more_settings: 'Mehr',
  save_settings: 'Einstellungen ändern',
  // Levels
  beginner: 'Anfänger',
  easy: 'Leicht',
  medium: 'Mittel',
  hard: 'Schwer',
  expert: 'Experte',
  // Room
  room: 'Raum {room}',
  leave: 'Verlassen',
  leave_game: 'Das laufende Spiel verlassen?',
  leave_room: 'Den Raum {room} verlassen?',
  settings: 'Einstellungen',
  your_turn: 'Du bist am Zug',
  your_turn_as: 'Du bist am Zug, {name}',
  turn_of: '{name} ist am Zug',
  thinking: '{name} denkt nach…',
  seconds_left: { one: '{n} Sekunde', other: '{n} Sekunden' },
  title_turn: '● du bist am Zug – Boxroom',
  title: 'Boxroom',
  you: 'du',
  host: 'Gastgeber',
  away: 'weg',
  out: 'ausgeschieden',
  bot: 'Bot',
  empty: 'frei',
  bot_plays: 'solange spielt {bot}',
  board: 'Spielfeld',
  players: 'Spieler',
  spectators: 'Es schauen zu',
  barred: 'Hinausgeschickt',
  start: 'Spiel beginnen',
  sit: 'Hier sitzen',
  sit_back: 'Wieder selbst spielen',
  stand: 'Aufstehen',
  seat_player: 'Noch ein Spieler an diesem Gerät',
  player_name: 'Name des Spielers',
  seat_bot: 'Bot setzen',
  unseat: 'Platz frei machen',
  kick: 'Hinausschicken',
  kick_really: '{name} hinausschicken? {name} kann nur wieder herein, wenn du es erlaubst.',
  unbar: 'Wieder hereinlassen',
  hand_over: 'Zum Gastgeber machen',
  rematch: 'Noch einmal',
  rematch_wanted_by: 'Noch einmal spielen wollen: {names}.',
  next_game: 'Spiel ändern',
  hint: 'Tipp',
  undo: 'Zurücknehmen',
  undo_ask: '{name} möchte Züge zurücknehmen.',
  agree: 'Zustimmen',
  decline: 'Ablehnen',
  resign: 'Aufgeben',
  resign_really: 'Das Spiel aufgeben? Das lässt sich nicht ändern.',
  resign_which: 'Für {name} aufgeben?',
  no: 'Nein',
  ok: 'OK',
  wait_for_host: 'Das Spiel beginnt, wenn {name}, der Gastgeber, es beginnt.',
  wait_no_host: 'Das Spiel beginnt, sobald es einen Gastgeber gibt.',
  wait_seats: {
    one: '{n} Platz ist frei: Warte, bis jemand kommt, oder setze einen Bot.',
    other: '{n} Plätze sind frei: Warte, bis jemand kommt, oder setze Bots.',
  },
  all_seated: 'Alle Plätze sind besetzt.',
  invite: 'Einladen',
  invite_text: 'Wer diesen Link öffnet, kommt in den Raum:',
  invite_private: 'Der Raum fragt nach dem Passwort; das musst du ihnen sagen.',
  copy: 'Kopieren',
  copied: 'Kopiert',
  watching: 'Du schaust zu.',
  seat_free: 'Platz nehmen',
  since_my_turn: { one: '{n} Zug, seit du dran warst', other: '{n} Züge, seit du dran warst' },
  // Chat
  chat: 'Chat',
  say: 'Sag etwas, oder tippe einen Zug',
  say_watching: 'Sag etwas',
  send: 'Senden',
  to_all: 'an alle',
  to_spectators: 'an Zuschauer',
  not_sent_yet: 'noch nicht gesendet',
  premove: '{turn}, dann spielst du {move}',
  premove_drop: 'Zug verwerfen',
  no_turn: '{move} ist ein Zug, und du bist nicht mehr dran.',
  // Replay
  replay: 'Jeden Zug ansehen',
  move_n_of: 'Zug {n} von {of}',
  back_to_game: 'Zurück zum Spiel',
  first_move: 'Zum Anfang',
  previous: 'Einen Zug zurück',
  next: 'Einen Zug weiter',
  last_move: 'Zum Ende',
  // Review: the facts follow "er", the move
  review: 'Wo ging es verloren?',
  review_pending: 'Die Züge werden vom Ende her geprüft…',
  review_none: 'Kein geprüfter Zug in diesem Spiel hat etwas gekostet.',
  review_none_mine: 'Kein geprüfter Zug von dir hat etwas gekostet.',
  review_early: {
    one: 'Zug 1 ist nicht geprüft: Er kommt zu früh.',
    other: 'Die Züge 1 bis {n} sind nicht geprüft: Sie kommen zu früh.',
  },
  review_margin:
    'Der Vorsprung sind die Kästchen des einen minus die des anderen: Ein Kästchen, das der' +
    ' andere bekommt, macht zwei.',
  finding: 'Zug {number}: {name} verlor {n} vom Vorsprung mit {move}; besser war {better}.',
  finding_you: 'Zug {number}: Du hast {n} vom Vorsprung verloren mit {move}; besser war {better}.',
  lost_game:
    '{name} verlor das Spiel mit {move}, Zug {number}: Er {facts}. Besser war {better}: Er' +
    ' {better_facts}.',
  lost_game_you:
    'Du hast das Spiel verloren mit {move}, Zug {number}: Er {facts}. Besser war {better}: Er' +
    ' {better_facts}.',
  lost_most:
    '{name} verlor am meisten mit {move}, Zug {number}: Er {facts}. Besser war {better}: Er' +
    ' {better_facts}.',
  lost_most_you:
    'Du hast am meisten verloren mit {move}, Zug {number}: Er {facts}. Besser war {better}: Er' +
    ' {better_facts}.',
  lost_some:
    '{name} verlor Kästchen mit {move}, Zug {number}: Er {facts}. Besser war {better}: Er' +
    ' {better_facts}.',
  lost_some_you:
    'Du hast Kästchen verloren mit {move}, Zug {number}: Er {facts}. Besser war {better}: Er' +
    ' {better_facts}.',
  fact_takes: { one: 'nimmt ein Kästchen', other: 'nimmt {n} Kästchen mit einer Linie' },
  fact_declines:
    'lässt {n} Kästchen liegen, damit der andere sie nimmt und noch einmal ziehen muss' +
    ' (double-dealing move)',
  fact_leaves: {
    one: 'lässt ein Kästchen liegen, das zu nehmen war',
    other: 'lässt {n} Kästchen liegen, die zu nehmen waren',
  },
  fact_gives: { one: 'ein Kästchen', other: '{n} Kästchen' },
  fact_opens: 'verschenkt {boxes} ({name})',
  fact_opens_early: 'verschenkt {boxes}, obwohl es Züge gab, die nichts verschenken ({name})',
  fact_chain: 'öffnet eine Kette aus {n}',
  fact_loop: 'öffnet einen Ring aus {n}',
  fact_single: 'handout',
  'fact_half-hearted': 'half-hearted handout',
  'fact_hard-hearted': 'hard-hearted handout',
  fact_neutral: 'verschenkt nichts (neutral)',
  fact_waits_last:
    'verschenkt nichts und ist der letzte solche Zug, danach muss der andere eine Kette öffnen' +
    ' (neutral; parity)',
  fact_waits_odd: {
    one:
      'verschenkt nichts und lässt höchstens einen solchen Zug übrig, nach dem derselbe Spieler' +
      ' eine Kette öffnen muss (neutral; parity)',
    other:
      'verschenkt nichts und lässt höchstens {n} solche Züge übrig, nach denen derselbe Spieler' +
      ' eine Kette öffnen muss (neutral; parity)',
  },
  fact_waits_even:
    'verschenkt nichts und lässt höchstens {n} solche Züge übrig, nach denen der andere eine' +
    ' Kette öffnen muss (neutral; parity)',
  fact_longer: {
    one: 'macht eine Kette aus drei Kästchen oder mehr (long chain)',
    other: 'macht {n} Ketten aus drei Kästchen oder mehr (long chains)',
  },
  fact_shorter: {
    one: 'lässt eine Kette aus drei Kästchen oder mehr weniger (long chains)',
    other: 'lässt {n} Ketten aus drei Kästchen oder mehr weniger (long chains)',
  },
  fact_keeps: 'lässt den anderen weiter öffnen, was übrig ist (behält control)',
  fact_gains: 'lässt den anderen die langen Ketten öffnen (gewinnt control)',
  fact_gives_up: 'überlässt dem anderen, wer die langen Ketten öffnen muss (gibt control auf)',
  fact_gives_control: 'überlässt dem anderen, wer die langen Ketten öffnen muss (gibt control)',
  fact_forecast: ', so wie die Ketten stehen',
  // Board, for screen readers
  line_drawn: '{move}, gezogen von {name}',
  line_border: '{move}, von Anfang an da',
  line_free: '{move}, frei: {where}',
  nth_1: 'erste Linie von Kästchen {box}',
  nth_2: 'zweite Linie von Kästchen {box}',
  nth_3: 'dritte Linie von Kästchen {box}',
  nth_4: 'schließt Kästchen {box}',
  zoom_in: 'Größer',
  zoom_out: 'Kleiner',
  zoom_fit: 'Ganzes Feld',
  'painter.board': 'Spielfeld',
  'painter.free': '{move}, frei',
  'painter.owned': '{move}, {mark} ({name})',
  'painter.moves': 'Züge',
  'painter.take': '{count} nehmen',
  'painter.left': 'noch {count}',
  choose_line: 'Wähle die Linie',
  play_it: '{move} spielen',
  confirm_moves: 'Vor jedem Zug fragen',
  // Settings
  theme: 'Farben',
  theme_auto: 'wie das Gerät',
  theme_light: 'hell',
  theme_dark: 'dunkel',
  language_label: 'Sprache',
  close: 'Schließen',
  rules: 'Regeln',
  // The journal: sentences about events
  e_joined: '{name} kommt herein.',
  e_left: '{name} geht.',
  e_kicked: 'Der Gastgeber schickt {name} hinaus.',
  e_unbarred: 'Der Gastgeber lässt {name} wieder herein.',
  e_dropped: 'Die Verbindung von {name} ist weg; der Platz bleibt eine Weile frei.',
  e_dropped_bot:
    'Die Verbindung von {name} ist weg. Kommt sie nicht bald wieder, spielt ein Bot weiter.',
  e_dropped_wait: 'Die Verbindung von {name} ist weg. Das Spiel wartet.',
  e_dropped_forfeit:
    'Die Verbindung von {name} ist weg. Kommt sie nicht bald wieder, ist das Spiel verloren.',
  e_returned: '{name} ist wieder da.',
  e_grace_over: '{name} ist nicht rechtzeitig zurück.',
  e_woken: 'Der Server war weg und ist wieder da: Alle haben ihre Plätze.',
  e_no_host: 'Der Raum hat jetzt keinen Gastgeber.',
  e_host: '{name} ist jetzt der Gastgeber.',
  e_host_you: 'Du bist jetzt der Gastgeber.',
  e_configured: 'Der Gastgeber ändert die Einstellungen: {what}.',
  e_sat: '{name} setzt sich auf Platz {seat}.',
  e_sat_at: '{name} setzt sich auf Platz {seat}, am Gerät von {member}.',
  e_bot_sat: '{name}, ein Bot, setzt sich auf Platz {seat}.',
  e_vacated: '{name} verlässt Platz {seat}.',
  e_stood_in: 'Ein Bot ({bot}) spielt für {name} weiter.',
  e_took_back: '{name} spielt wieder selbst.',
  e_started: 'Das Spiel beginnt. Reihenfolge: {names}.',
  e_started_n: 'Spiel {n} beginnt. Reihenfolge: {names}.',
  e_played: '{name} spielt {move}.',
  e_took: '{name} bekommt {what} ({move}).',
  e_took_again: '{name} bekommt {what} und ist noch einmal dran ({move}).',
  e_clock: 'Die Zeit von {name} ist um: Ein Bot',
  e_bot_of: 'Der Bot von {name}',
  e_hint_asked: '{name} fragt nach einem Tipp.',
  e_hint: '{bot} würde {move} spielen.',
  e_undo_asked: '{name} möchte {moves} zurücknehmen.',
  e_undo_agreed: '{name} stimmt der Zurücknahme zu.',
  e_undo_declined: '{name} lehnt die Zurücknahme ab.',
  e_undo_withdrawn: '{name} möchte nichts mehr zurücknehmen.',
  e_undo_off: 'Damit ist die Zurücknahme hinfällig, um die {name} gebeten hat.',
  e_undone: '{name} nimmt {moves} zurück und ist am Zug.',
  moves_and_more: { one: '{move} und {n} weiteren', other: '{move} und {n} weitere' },
  e_resigned: '{name} gibt auf.',
  e_forfeited: '{name} verliert das Spiel.',
  e_out: '{name} ist aus dem Spiel.',
  e_over: 'Das Spiel ist aus: {result}',
  e_draw: 'Niemand gewinnt, es ist unentschieden.',
  e_wins: '{name} gewinnt.',
  e_wins_with: '{name} gewinnt mit {what}.',
  e_win_together: '{names} gewinnen zusammen.',
  e_win_together_with: '{names} gewinnen zusammen mit je {what}.',
  e_only_one: '{name} gewinnt: Alle anderen haben aufgegeben.',
  e_rematch: '{name} möchte noch einmal spielen.',
  e_revealed: 'Während des Spiels sagten die Zuschauer:',
  points: { one: '{n} Punkt', other: '{n} Punkten' },
  prize_box: { one: '{n} Kästchen', other: '{n} Kästchen' },
  'prize_ley-line': { one: '{n} Linie', other: '{n} Linien' },
  and: 'und',
};
