package dev.cairn.server.master.group;

import dev.cairn.server.catalog.GroupTable;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.master.assignment.SystemTable;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups, as {@code hbase:rsgroup} has them. ZooKeeper has a copy: a master begins with it,
 * since regions are placed before the table can be read, and corrects it once it has read the
 * table. Changes are written one at a time, to the table first. A write that failed may be done, or
 * may still be done later: a call that has timed out can be on its way. So the table is read again,
 * and what is found is written once more, with a later timestamp: the late write changes nothing
 * then. Owned by the loop.
 */
public final class ServerGroups {
  private static final Logger LOG = LoggerFactory.getLogger(ServerGroups.class);
  private static final Duration PAUSE_MIN = Duration.ofMillis(10);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

  private final boolean enabled;
  private final MasterLoop loop;
  private final SystemTable home;
  private final GroupTable table;
  private final Mirror mirror;
  private final Supplier<GroupFacts> facts;

  private GroupMap map;
  private boolean loaded;
  private boolean writing;
  private boolean isTold;
  private Duration pause = PAUSE_MIN;
  private final Deque<Change> waiting = new ArrayDeque<>();

  /** The names of the groups that a failed write may still change. */
  private final Set<String> uncertain = new TreeSet<>();

  /** Whether the copy in ZooKeeper is being written, and is to be written again afterwards. */
  private boolean copying;

  private boolean copyAgain;

  /** Writes the copy of the groups; waits. */
  @FunctionalInterface
  public interface Mirror {
    /** Publishes all groups, and removes others. */
    void publish(Collection<ServerGroup> groups) throws IOException;
  }

  /** Makes new groups of the present ones. */
  @FunctionalInterface
  interface Edit {
    /**
     * Returns the new groups.
     *
     * @throws IOException for the client, if they cannot be made
     */
    GroupMap apply(GroupMap now) throws IOException;
  }

  /**
   * A change that waits.
   *
   * @param isRepeated whether it is tried again if it cannot be written now
   */
  private record Change(Edit edit, boolean isRepeated, Completion completion) {}

  /**
   * Creates it.
   *
   * @param enabled whether there are groups
   * @param home reaches {@code hbase:rsgroup}; does one action at a time
   * @param table the format of {@code hbase:rsgroup}
   * @param copy the groups that ZooKeeper has
   * @param facts returns the cluster as it is
   */
  ServerGroups(
      boolean enabled,
      MasterLoop loop,
      SystemTable home,
      GroupTable table,
      Mirror mirror,
      Collection<ServerGroup> copy,
      Supplier<GroupFacts> facts) {
    this.enabled = enabled;
    this.loop = loop;
    this.home = home;
    this.table = table;
    this.mirror = mirror;
    this.map = GroupMap.of(copy);
    this.facts = facts;
  }

  /** Tells whether there are groups. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Returns the present groups. */
  GroupMap map() {
    return map;
  }

  /** Tells whether the groups are those of the table. */
  public boolean isLoaded() {
    return loaded;
  }

  /** Checks that the groups are those of the table. */
  void requireLoaded() throws PleaseHoldException {
    if (!loaded) {
      throw new PleaseHoldException("The master has not read " + GroupTable.NAME + " yet");
    }
  }

  /** Reads the table, now and after pauses until it succeeds, and calls {@code whenLoaded}. */
  void load(Runnable whenLoaded) {
    home.perform(
        table::read, found -> confirm(found, whenLoaded), cause -> loadLater(whenLoaded, cause));
  }

  /** Writes what was found of the groups that are uncertain, or that shared members. */
  private void confirm(List<ServerGroup> found, Runnable whenLoaded) {
    GroupMap read = GroupMap.of(found);
    List<ServerGroup> written = new ArrayList<>();
    for (ServerGroup group : read.all()) {
      if (uncertain.contains(group.name()) || !found.contains(group)) {
        written.add(group);
      }
    }
    List<String> removed = uncertain.stream().filter(name -> !read.exists(name)).toList();
    if (written.isEmpty() && removed.isEmpty()) {
      take(read, whenLoaded);
      return;
    }
    written.add(facts.get().defaultGroup(read));
    home.perform(
        (region, client) -> {
          table.write(region, client, written, removed);
          return read;
        },
        done -> take(done, whenLoaded),
        cause -> loadLater(whenLoaded, cause));
  }

  private void take(GroupMap read, Runnable whenLoaded) {
    map = read;
    loaded = true;
    uncertain.clear();
    isTold = false;
    pause = PAUSE_MIN;
    copy();
    whenLoaded.run();
    next();
  }

  private void loadLater(Runnable whenLoaded, IOException cause) {
    tell(cause);
    loop.after(pause, () -> load(whenLoaded));
    pause = pause.compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
  }

  private void tell(IOException cause) {
    if (cause instanceof DoNotRetryIOException && !isTold) {
      isTold = true;
      LOG.error(
          "{} cannot be read. The groups of servers stay as they are, and cannot be changed: {}",
          GroupTable.NAME,
          cause.toString());
    }
  }

  /** Makes a change once those before it are made; fails if it cannot be written now. */
  void change(Edit edit, Completion completion) {
    waiting.add(new Change(edit, false, completion));
    next();
  }

  /** Makes a change once those before it are made, and once it can be written. */
  void changeSurely(Edit edit, Completion completion) {
    waiting.add(new Change(edit, true, completion));
    next();
  }

  private void next() {
    while (loaded && !writing && !waiting.isEmpty()) {
      Change change = waiting.remove();
      try {
        GroupMap after = change.edit().apply(map);
        if (after.equals(map)) {
          change.completion().done();
        } else {
          write(change, after);
        }
      } catch (IOException e) {
        change.completion().failed(e);
      }
    }
  }

  private void write(Change change, GroupMap after) {
    writing = true;
    List<ServerGroup> changed =
        new ArrayList<>(after.all().stream().filter(group -> !map.all().contains(group)).toList());
    List<String> removed =
        map.all().stream().map(ServerGroup::name).filter(name -> !after.exists(name)).toList();
    changed.add(facts.get().defaultGroup(after));
    home.perform(
        (region, client) -> {
          table.write(region, client, changed, removed);
          return after;
        },
        done -> {
          writing = false;
          map = done;
          copy();
          change.completion().done();
          next();
        },
        cause -> {
          writing = false;
          loaded = false;
          changed.forEach(group -> uncertain.add(group.name()));
          uncertain.addAll(removed);
          if (change.isRepeated() && !(cause instanceof DoNotRetryIOException)) {
            waiting.addFirst(change);
          } else {
            change.completion().failed(cause);
          }
          load(() -> {});
        });
  }

  /** Writes the copy in ZooKeeper; later changes follow when that is done. */
  private void copy() {
    if (copying) {
      copyAgain = true;
      return;
    }
    copying = true;
    copyAgain = false;
    List<ServerGroup> groups = new ArrayList<>(map.all());
    groups.add(facts.get().defaultGroup(map));
    loop.perform(
        Lane.COORDINATION,
        () -> mirror.publish(groups),
        Completion.of(
            () -> {
              copying = false;
              if (copyAgain) {
                copy();
              }
            },
            cause -> {
              LOG.info("The groups of servers are not in ZooKeeper yet: {}", cause.toString());
              loop.after(
                  PAUSE_MAX,
                  () -> {
                    copying = false;
                    copy();
                  });
            }));
  }
}
