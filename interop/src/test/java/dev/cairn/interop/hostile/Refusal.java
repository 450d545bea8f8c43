package dev.cairn.interop.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A request that makes no sense, as {@code refusals.txt} has it.
 *
 * @param what what is wrong with it
 * @param request the request
 */
record Refusal(String what, Sample request) {
  private static final String CAIRN = "cairn=";

  /** Reads all of them. */
  static List<Refusal> all() throws IOException {
    List<Refusal> refusals = new ArrayList<>();
    for (List<String> lines : Sample.paragraphs("/hostile/refusals.txt")) {
      String text = String.join("\n", lines.subList(2, lines.size()));
      refusals.add(new Refusal(lines.get(0).substring(2), Sample.parse(lines.get(1), text)));
    }
    return refusals;
  }

  /** Returns what Cairn answers on purpose, where that is not HBase's answer. */
  Optional<String> cairn() {
    return request.marks().stream()
        .filter(mark -> mark.startsWith(CAIRN))
        .map(mark -> mark.substring(CAIRN.length()))
        .findFirst();
  }
}
