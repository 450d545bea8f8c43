package dev.cairn.studies.indexes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/** What moves change in an index and in counts; known after {@link #read}. One thread. */
final class IndexChanges {
  private final List<Move> moves;
  private final List<Put> puts = new ArrayList<>();
  private final List<Delete> deletes = new ArrayList<>();
  private final Map<String, Long> counts = new HashMap<>();

  IndexChanges(List<Move> moves) {
    this.moves = moves;
  }

  /** Reads where the users live before the moves. */
  void read(Table users) throws IOException {
    Map<String, UserTable.Home> homes = UserTable.homes(users, moves);
    for (Move move : moves) {
      UserTable.Home home = homes.get(move.user());
      if (home == null || home.timestamp() < move.timestamp()) {
        add(move, Optional.ofNullable(home));
        move.city()
            .ifPresentOrElse(
                city -> homes.put(move.user(), new UserTable.Home(city, move.timestamp())),
                () -> homes.remove(move.user()));
      }
    }
  }

  private void add(Move move, Optional<UserTable.Home> home) {
    move.city()
        .ifPresent(
            city -> {
              puts.add(Entries.PLAIN.put(city, move.user(), move.timestamp()));
              counts.merge(city, 1L, Long::sum);
            });
    home.ifPresent(
        old -> {
          counts.merge(old.city(), -1L, Long::sum);
          if (!move.city().equals(Optional.of(old.city()))) {
            deletes.add(
                Entries.delete(Entries.PLAIN.key(old.city(), move.user()), old.timestamp()));
          }
        });
  }

  /** Returns the new entries. */
  List<Put> puts() {
    return puts;
  }

  /** Returns the deletions of the old entries. */
  List<Delete> deletes() {
    return deletes;
  }

  /** Returns by how much the number of users of each city grows. */
  Map<String, Long> counts() {
    return counts;
  }
}
