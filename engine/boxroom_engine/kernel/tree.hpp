// A tree of what may be played, grown where playouts go well: for boards and numbers of players
// that exact play can't reach.
//
// Each player wants to share in the win, and beyond that to be ahead (`share_win`). A branch is a
// whole turn: a neutral edge; or a string that is opened, of which the next player takes all, or
// all but the last boxes where there is that choice, which is then a branching of its own. The
// order of neutral moves doesn't matter, so positions that are reached in several ways are one
// node (Childs, Brodeur & Kocsis, Transpositions and move groups in MCTS, 2008). Branches are
// chosen as in UCT (Kocsis & Szepesvári 2006), by what the player to move wants (Sturtevant 2008).
//
// For the same reason a playout says something of every neutral edge that it draws, now or later:
// drawn first, it would have led to the same. So a branch is also judged by the playouts in which
// any player drew its edge later, the less the more it has of its own (Gelly & Silver, Monte-Carlo
// tree search and rapid action value estimation in computer Go, 2011).
#pragma once

#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <unordered_map>

#include "field.hpp"
#include "stop.hpp"

namespace kernel {

inline std::uint64_t scrambled(std::uint64_t n) {  // splitmix64 (Steele, Lea & Flood 2014)
    n += 0x9e3779b97f4a7c15;
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9;
    n = (n ^ n >> 27) * 0x94d049bb133111eb;
    return n ^ n >> 31;
}

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    // A number below `end`.
    std::uint32_t below(std::uint32_t end) {
        state_ += 0x9e3779b97f4a7c15;
        return static_cast<std::uint32_t>((scrambled(state_) >> 32) * end >> 32);
    }

  private:
    std::uint64_t state_;
};

// What a tree says of one way to go on.
struct Judged {
    int edge;  // TAKE and LEAVE: what to do with the last boxes of an opened string
    std::uint64_t visits;
    std::vector<double> share, boxes;  // by player, counted from the one to move
};

// Who may know for certain how a game for two goes on.
class Oracle {
  public:
    virtual ~Oracle() = default;
    // Whether the margin to come reaches `goal` for who is to move, if at most so many nodes of a
    // search tell; `nodes` is how many it took.
    virtual std::optional<bool> reaches(const Field& field, int goal, std::uint64_t most_nodes,
                                        std::uint64_t& nodes) = 0;
};

class Tree {
  public:
    static constexpr int TAKE = -1, LEAVE = -2;

    // `scores`: boxes so far, by player, the one to move first. `oracle`: for two players, or null.
    Tree(int rows, int cols, const std::vector<int>& scores, Oracle* oracle)
        : layout_(rows, cols), players_(static_cast<int>(scores.size())), scores_(scores),
          oracle_(players_ == 2 ? oracle : nullptr), ending_(layout_, players_), root_(layout_),
          field_(layout_), boxes_(std::accumulate(scores.begin(), scores.end(), 0)),
          won_(players_), result_(players_) {}

    // From the position with these edges drawn; what is on offer there is taken, but the mover may
    // leave the last `handover` boxes.
    std::vector<Judged> grow(const std::vector<int>& drawn, int handover, std::uint64_t playouts,
                             std::uint64_t seed, const Stop& stop) {
        Dice dice(seed);
        for (const int edge : drawn) root_.draw(edge);
        for (int box = 0; box < layout_.boxes; ++box) boxes_ += root_.degree(box) > 0;
        int offered = 0;
        for (const int edge : drawn) offered += root_.take_from(edge, edges_);
        if (handover && (handover < 0 || handover > offered))
            throw std::invalid_argument("so many boxes aren't on offer");
        start_.gained.assign(players_, 0);
        if (handover)
            start_.pending = {offered, handover};
        else
            start_.gained[0] = offered;
        const int root = node_for(start_);
        for (std::uint64_t i = 0; i < playouts && !is_settled(nodes_[root]); ++i) {
            if (i % PLAYOUTS_BETWEEN_STOPS == PLAYOUTS_BETWEEN_STOPS - 1 && stop(i)) break;
            simulate(root, dice);
        }
        return judged(root);
    }

  private:
    // What is known for certain, for two players: how much of the win the first of them gets.
    enum Decided : std::uint8_t { OPEN, LOST, DRAWN, WON };

    struct Branch {
        int edge, child;
        std::uint32_t visits = 0;
        // Playouts through the node that drew the edge when it was neutral, here or later, and
        // their sum of what the player to move here wants.
        std::uint32_t drawn = 0;
        double won = 0;
    };

    struct Node {
        std::uint32_t first, branches, visits;
        bool expanded;
        Decided decided;
    };

    // Where a simulation is.
    struct Place {
        std::uint64_t edges = 0;  // a hash of those drawn since the root
        int player = 0;
        Opened pending{0, 0};     // what the player may take or leave
        std::vector<int> gained;
    };

    struct Step {
        int node, player;
        std::uint32_t branch;
    };

    std::uint64_t key(const Place& place) const {
        std::uint64_t key = place.edges;
        for (const int part : {place.player, place.pending.boxes, place.pending.handover})
            key = scrambled(key ^ static_cast<std::uint64_t>(part));
        for (const int boxes : place.gained) key = scrambled(key ^ static_cast<std::uint64_t>(boxes));
        return key;
    }

    int next(int player) const { return (player + 1) % players_; }

    int node_for(const Place& place) {
        const auto [found, is_new] = known_.try_emplace(key(place), static_cast<int>(nodes_.size()));
        if (is_new) {
            nodes_.push_back({0, 0, 0, false, OPEN});
            sums_.insert(sums_.end(), 2 * players_, 0.0);
        }
        return found->second;
    }

    void simulate(int node, Dice& dice) {
        field_ = root_;
        place_ = start_;
        path_.clear();
        drawn_.assign(layout_.edges, 0);
        while (!is_leaf(node)) {
            if (!nodes_[node].expanded) {
                expand(node);
                continue;
            }
            const std::uint32_t chosen = choose(node, dice);
            path_.push_back({node, place_.player, chosen});
            follow(branches_[chosen].edge);
            if (branches_[chosen].child < 0) {
                const int child = node_for(place_);  // may move what `branches_` refers to
                branches_[chosen].child = child;
            }
            node = branches_[chosen].child;
        }
        path_.push_back({node, place_.player, 0});
        // It is the root's moves that are to be decided, not the root.
        if (path_.size() > 1 && !nodes_[node].decided) nodes_[node].decided = ask();
        play_out(dice, nodes_[node].decided);
        back_up();
    }

    // Whether nothing can be found out about it: it is decided, or the end.
    static bool is_settled(const Node& at) { return at.decided || (at.expanded && !at.branches); }

    bool is_leaf(int node) const {
        const Node& at = nodes_[node];
        if (is_settled(at)) return true;
        if (at.expanded || place_.pending.handover) return false;
        if (path_.empty()) return false;  // the root: it is about its moves
        return !at.visits || branches_.size() >= MOST_BRANCHES || !field_.joints();
    }

    void expand(int node) {
        const auto first = static_cast<std::uint32_t>(branches_.size());
        const auto add = [&](int edge) { branches_.push_back({edge, NONE}); };
        if (place_.pending.handover) {
            add(TAKE);
            add(LEAVE);
        } else {
            list_moves(add);
        }
        nodes_[node].first = first;
        nodes_[node].branches = static_cast<std::uint32_t>(branches_.size()) - first;
        nodes_[node].expanded = true;
    }

    // Neutral edges, and chains of one and of two; when there are no neutral edges, all strings.
    template <class Add> void list_moves(Add add) {
        bool neutral = false;
        for (int edge = 0; edge < layout_.edges; ++edge)
            if (field_.is_neutral(edge)) {
                add(edge);
                neutral = true;
            }
        marked_.assign(layout_.boxes, 0);
        for (int box = 0; box < layout_.boxes; ++box) {
            if (field_.degree(box) != 2 || marked_[box]) continue;
            const String string = field_.string_at(box, [&](int each) { marked_[each] = 1; });
            if (!neutral || string.length < 3) add(string.opening);
        }
    }

    // The branch to follow: its mean so far, and more the less often it was tried.
    std::uint32_t choose(int node, Dice& dice) {
        const Node& parent = nodes_[node];
        const double width = EXPLORATION * std::sqrt(std::log(parent.visits + 1.0));
        const double unseen = parent.visits ? mean(node, place_.player) : 0.5;
        double best = -1;
        std::uint32_t chosen = parent.first, ties = 0;
        for (std::uint32_t i = parent.first; i < parent.first + parent.branches; ++i) {
            const Branch& branch = branches_[i];
            const Decided decided = branch.child == NONE ? OPEN : nodes_[branch.child].decided;
            const double worth = decided ? share(decided, place_.player)
                                         : estimate(branch, place_.player, unseen) +
                                               width / std::sqrt(branch.visits + 1.0);
            if (worth > best) {
                best = worth;
                chosen = i;
                ties = 1;
            } else if (worth == best && dice.below(++ties) == 0) {
                chosen = i;
            }
        }
        return chosen;
    }

    // What a branch is worth to the player, by its own playouts and those that drew its edge later.
    double estimate(const Branch& branch, int player, double unseen) const {
        const std::uint32_t visits = branch.child == NONE ? 0 : nodes_[branch.child].visits;
        const double own = visits ? mean(branch.child, player) : unseen;
        if (!branch.drawn) return own;
        const double part = std::sqrt(EVEN / (3.0 * visits + EVEN));
        return (1 - part) * own + part * (branch.won / branch.drawn);
    }

    double mean(int node, int player) const {
        return sums_[2 * (node * players_ + player)] / nodes_[node].visits;
    }

    static double share(Decided decided, int player) {
        const double first = decided == WON ? 1.0 : decided == DRAWN ? 0.5 : 0.0;
        return player ? 1 - first : first;
    }

    void follow(int edge) {
        const Opened pending = place_.pending;
        place_.pending = {0, 0};
        if (edge == TAKE) {
            place_.gained[place_.player] += pending.boxes;
        } else if (edge == LEAVE) {
            place_.gained[place_.player] += pending.boxes - pending.handover;
            place_.player = next(place_.player);
            place_.gained[place_.player] += pending.handover;
        } else if (field_.is_neutral(edge)) {
            field_.draw(edge);
            drawn_[edge] = 1;
            place_.edges ^= scrambled(edge);
            place_.player = next(place_.player);
        } else {
            open(edge);
        }
    }

    void open(int edge) {
        int box = layout_.beside[edge][0];
        if (box == GROUND || field_.degree(box) != 2) box = layout_.beside[edge][1];
        edges_.clear();
        const Opened opened = field_.open(field_.string_at(box), edges_);
        for (const int drawn : edges_) place_.edges ^= scrambled(drawn);
        place_.player = next(place_.player);
        if (opened.handover)
            place_.pending = opened;
        else
            place_.gained[place_.player] += opened.boxes;
    }

    // Asks the oracle about the position of now, if it isn't too open for that. How open it may be
    // is learnt: so that most answers are cheap.
    Decided ask() {
        if (!oracle_ || field_.joint_sides() > asked_below_) return OPEN;
        const int me = place_.player;
        const int ahead = scores_[me] + place_.gained[me] - scores_[1 - me] - place_.gained[1 - me];
        std::uint64_t nodes = 0, more = 0;
        std::optional<bool> wins = oracle_->reaches(field_, 1 - ahead, DEAR, nodes);
        std::optional<bool> draws = wins;
        if (wins == false && boxes_ % 2 == 0)
            draws = oracle_->reaches(field_, -ahead, DEAR, more);
        asked_below_ += nodes + more > CHEAP ? -1 : 0.25;
        if (!wins || !draws) return OPEN;
        if (*draws && !*wins) return DRAWN;
        return *wins == (me == 0) ? WON : LOST;
    }

    // Neutral edges at random until there is none, then the ending; who wins is known before, if it
    // was decided or the oracle can tell on the way.
    void play_out(Dice& dice, Decided decided) {
        list_neutral();
        double asked_at = decided ? 0 : 1e9;
        while (!neutral_.empty()) {
            const std::uint32_t i = dice.below(static_cast<std::uint32_t>(neutral_.size()));
            const int edge = neutral_[i];
            neutral_[i] = neutral_.back();
            neutral_.pop_back();
            if (!field_.is_neutral(edge)) continue;
            field_.draw(edge);
            if (!decided) drawn_[edge] = 1;
            place_.player = next(place_.player);
            if (!decided && field_.joint_sides() <= std::min(asked_below_, AGAIN * asked_at)) {
                decided = ask();
                asked_at = field_.joint_sides();
            }
        }
        ending_.settle(field_, shares_);
        for (int i = 0; i < players_; ++i) {
            const int player = (place_.player + i) % players_;
            result_[player] = scores_[player] + place_.gained[player] + shares_[i];
        }
        share_win(decided);
    }

    void list_neutral() {
        neutral_.clear();
        for (int edge = 0; edge < layout_.edges; ++edge)
            if (field_.is_neutral(edge)) neutral_.push_back(edge);
    }

    void share_win(Decided decided) {
        const int most = *std::max_element(result_.begin(), result_.end());
        const auto winners = std::count(result_.begin(), result_.end(), most);
        for (int p = 0; p < players_; ++p) {
            double share = result_[p] == most ? 1.0 / static_cast<double>(winners) : 0.0;
            if (decided) share = Tree::share(decided, p);
            int rival = 0;
            for (int q = 0; q < players_; ++q)
                if (q != p) rival = std::max(rival, result_[q]);
            won_[p] = (1 - AHEAD) * share + AHEAD * (0.5 + 0.5 * (result_[p] - rival) / boxes_);
        }
    }

    void back_up() {
        for (const Step& step : path_) {
            ++nodes_[step.node].visits;
            for (int p = 0; p < players_; ++p) {
                sums_[2 * (step.node * players_ + p)] += won_[p];
                sums_[2 * (step.node * players_ + p) + 1] += result_[p] - scores_[p];
            }
        }
        bool decided = nodes_[path_.back().node].decided;
        for (std::size_t i = path_.size() - 1; i-- > 0;) {
            ++branches_[path_[i].branch].visits;
            credit_drawn(path_[i]);
            decided = decided && decide(path_[i]);
        }
    }

    // Counts the playout for all branches of a node whose neutral edges it drew.
    void credit_drawn(const Step& step) {
        const Node& node = nodes_[step.node];
        for (std::uint32_t i = node.first; i < node.first + node.branches; ++i) {
            Branch& branch = branches_[i];
            if (branch.edge < 0 || !drawn_[branch.edge]) continue;
            ++branch.drawn;
            branch.won += won_[step.player];
        }
    }

    // Decides a node by those that follow, if they are.
    bool decide(const Step& step) {
        Node& node = nodes_[step.node];
        Decided best = step.player ? WON : LOST;
        bool all = true;
        for (std::uint32_t i = node.first; i < node.first + node.branches; ++i) {
            const Branch& branch = branches_[i];
            const Decided child = branch.child == NONE ? OPEN : nodes_[branch.child].decided;
            if (!child)
                all = false;
            else
                best = step.player ? std::min(best, child) : std::max(best, child);
        }
        if (all || best == (step.player ? LOST : WON)) node.decided = best;
        return node.decided;
    }

    std::vector<Judged> judged(int root) const {
        std::vector<Judged> found;
        const Node& node = nodes_[root];
        for (std::uint32_t i = node.first; i < node.first + node.branches; ++i) {
            const Branch& branch = branches_[i];
            if (!branch.visits) continue;
            Judged judged{branch.edge, branch.visits, {}, {}};
            const Node& child = nodes_[branch.child];
            for (int p = 0; p < players_; ++p) {
                judged.share.push_back(child.decided ? share(child.decided, p)
                                                     : mean(branch.child, p));
                judged.boxes.push_back(sums_[2 * (branch.child * players_ + p) + 1] / child.visits);
            }
            found.push_back(judged);
        }
        return found;
    }

    static constexpr int NONE = -1;
    static constexpr std::uint64_t PLAYOUTS_BETWEEN_STOPS = 4;
    static constexpr std::size_t MOST_BRANCHES = 4 << 20;  // 96 MB
    static constexpr double EXPLORATION = 0.07;
    static constexpr double EVEN = 1000;     // with as many visits both estimates count the same
    static constexpr double AHEAD = 0.2;     // what being ahead counts, beside winning
    static constexpr std::uint64_t CHEAP = 96, DEAR = 1024;  // nodes of a question to the oracle
    static constexpr double AGAIN = 0.8;     // how much less open it must be to ask again

    Layout layout_;
    int players_;
    std::vector<int> scores_;
    Oracle* oracle_;
    double asked_below_ = 30;  // undrawn sides of joints
    Ending ending_;
    Field root_, field_;
    int boxes_;  // the scores and the boxes that aren't taken: those of withdrawn seats don't count
    Place start_, place_;
    std::vector<Node> nodes_;
    std::vector<double> sums_;  // for each node and player: of the win, and of boxes
    std::vector<Branch> branches_;
    std::unordered_map<std::uint64_t, int> known_;
    std::vector<Step> path_;
    std::vector<int> edges_, neutral_;
    std::vector<double> won_;
    std::vector<int> result_;
    std::vector<std::uint8_t> marked_;  // by box
    std::vector<std::uint8_t> drawn_;   // by edge: if it was neutral, and who wins wasn't known yet
    Shares shares_;
};

}  // namespace kernel
