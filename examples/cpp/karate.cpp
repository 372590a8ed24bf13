// Zachary's karate club, as in ../karate/karate.py: who joins whom, by message passing along the
// friendships. The kernel is ../karate/message_passing.mlir, compiled ahead of time; there is no
// Python and no MLIR in this program.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "message_passing.h"

namespace {

constexpr int kMembers = 34, kSides = 2, kSteps = 10;
constexpr int kInstructor = 0, kOfficer = 33;

// The numbers that follow `key` in a JSON file, up to the end of that list.
std::vector<int32_t> numbers(const std::string &text, const std::string &key) {
  size_t at = text.find('"' + key + '"');
  if (at == std::string::npos)
    throw std::runtime_error("no \"" + key + "\" in the file");
  std::vector<int32_t> found;
  int depth = 0;
  for (at = text.find('[', at); at < text.size(); ++at) {
    depth += text[at] == '[' ? 1 : text[at] == ']' ? -1 : 0;
    if (depth == 0)
      break;
    if (text[at] >= '0' && text[at] <= '9') {
      size_t length = 0;
      found.push_back(std::stoi(text.substr(at), &length));
      at += length - 1;
    }
  }
  return found;
}

// One step: each member receives the sum of what the friends believe.
std::vector<float> step(std::vector<float> &belief, int64_t width, std::vector<int32_t> &senders,
                        std::vector<int32_t> &receivers) {
  int64_t shape[] = {kMembers, width}, edges[] = {(int64_t)senders.size(), 1}, sizes[2];
  gs_tensor features = gs_array(belief.data(), GS_FLOAT(32), 2, shape);
  gs_tensor from = gs_array(senders.data(), GS_INT(32), 2, edges);
  gs_tensor to = gs_array(receivers.data(), GS_INT(32), 2, edges);
  gs_error error;
  if (step_sizes(&features, &from, &to, sizes, &error) != GS_OK)
    throw std::runtime_error(error.message);
  std::vector<float> received(sizes[0] * sizes[1]);
  gs_tensor result = gs_array(received.data(), GS_FLOAT(32), 2, sizes);
  if (::step(&features, &from, &to, &result, &error) != GS_OK)
    throw std::runtime_error(error.message);
  return received;
}

// The two leaders do not change their minds.
void lead(std::vector<float> &belief) {
  belief[kInstructor * kSides] = belief[kOfficer * kSides + 1] = 1;
  belief[kInstructor * kSides + 1] = belief[kOfficer * kSides] = 0;
}

int run(const char *path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error(std::string(path) + ": cannot be read");
  std::stringstream text;
  text << file.rdbuf();
  std::vector<int32_t> edges = numbers(text.str(), "edges"), officer = numbers(text.str(), "officer");
  std::vector<int32_t> senders, receivers;
  for (int direction = 0; direction < 2; ++direction)
    for (size_t edge = 0; edge < edges.size(); edge += 2) {
      senders.push_back(edges[edge + direction]);
      receivers.push_back(edges[edge + 1 - direction]);
    }

  std::vector<float> ones(kMembers, 1.0f), belief(kMembers * kSides, 0.0f);
  std::vector<float> friends = step(ones, 1, senders, receivers);
  lead(belief);
  bool same = true;
  for (int k = 0; k < kSteps; ++k) {
    std::vector<float> received = step(belief, kSides, senders, receivers);
    std::vector<float> expected(kMembers * kSides, 0.0f);
    for (size_t edge = 0; edge < senders.size(); ++edge)
      for (int side = 0; side < kSides; ++side)
        expected[receivers[edge] * kSides + side] += belief[senders[edge] * kSides + side];
    same = same && received == expected;
    for (int member = 0; member < kMembers; ++member)
      for (int side = 0; side < kSides; ++side)
        belief[member * kSides + side] = received[member * kSides + side] / friends[member];
    lead(belief);
  }

  std::vector<bool> with_officer(kMembers, false);
  for (int32_t member : officer)
    with_officer[member] = true;
  int right = 0;
  for (int member = 0; member < kMembers; ++member)
    right += (belief[member * kSides + 1] > belief[member * kSides]) == with_officer[member];
  std::printf("%zu friendships, %d of %d members join the side that they joined\n",
              edges.size() / 2, right, kMembers);
  std::printf(same ? "%d steps, the same bits as a loop\n" : "%d steps, not what a loop computes\n",
              kSteps);
  return same ? 0 : 1;
}

} // namespace

int main(int count, char **arguments) {
  try {
    if (count != 2)
      throw std::runtime_error("usage: karate karate.json");
    return run(arguments[1]);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
