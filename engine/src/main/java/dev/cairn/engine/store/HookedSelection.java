package dev.cairn.engine.store;

import dev.cairn.engine.store.StoreFileHook.Candidate;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Lets a {@link StoreFileHook} choose the files of a compaction.
 *
 * @param free the files to choose from, oldest first
 */
record HookedSelection(Store store, List<StoreFile> free) {
  /**
   * Returns the files that the hook chooses.
   *
   * @param policy the store's own choice from adjacent files
   * @throws IOException if the hook fails, or if its files are not adjacent: the files of a store
   *     are in the order of their sequence numbers
   */
  List<StoreFile> select(
      UnaryOperator<List<StoreFile>> policy, boolean major, Optional<String> requester)
      throws IOException {
    if (free.isEmpty()) {
      return free;
    }
    List<Candidate> candidates = free.stream().map(HookedSelection::candidate).toList();
    List<Candidate> chosen =
        store
            .context()
            .hook()
            .select(
                store.info(),
                store.family(),
                candidates,
                major,
                requester,
                some ->
                    policy.apply(files(some)).stream().map(HookedSelection::candidate).toList());
    return files(chosen);
  }

  /** Describes a file. */
  static Candidate candidate(StoreFile file) {
    return new Candidate(file.name(), file.length(), file.flushedSequence(), file.isReference());
  }

  private List<StoreFile> files(List<Candidate> chosen) {
    if (chosen.isEmpty()) {
      return List.of();
    }
    List<String> names = free.stream().map(StoreFile::name).toList();
    int from = names.indexOf(chosen.get(0).name());
    int to = from + chosen.size();
    if (from < 0
        || to > names.size()
        || !names.subList(from, to).equals(chosen.stream().map(Candidate::name).toList())) {
      throw new IllegalArgumentException(
          "A hook chooses files for a compaction of "
              + store.family()
              + " that are no neighbours: "
              + chosen
              + " of "
              + names);
    }
    return free.subList(from, to);
  }
}
