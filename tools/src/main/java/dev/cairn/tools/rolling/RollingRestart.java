package dev.cairn.tools.rolling;

import dev.cairn.tools.rolling.RestartState.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Restarts the masters and region servers of a cluster one after the other: first backup masters,
 * then the active master, then region servers. The regions of a region server move away before it
 * stops, and return after it has started. The balancer is off meanwhile. Stops as soon as the
 * cluster is not well; the next run continues where it stopped. One thread.
 */
public final class RollingRestart {
  private static final String REJECTS_DECOMMISSIONED = "hbase.master.reject.decommissioned.hosts";

  /** The beginning of the master's error if no other server may have the regions of a server. */
  private static final String NONE_LEFT = "No region server is left that may have the regions";

  private static final long LOOK_MILLIS = 200;
  private static final long REQUEST_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final Admin admin;
  private final Restarter restarter;
  private final Settings settings;
  private final Consumer<String> progress;

  /** Stops a process and starts it again. */
  @FunctionalInterface
  public interface Restarter {
    /** Returns when the process has been started; it may not serve yet. */
    void restart(ServerName process, boolean isMaster) throws IOException, InterruptedException;
  }

  /**
   * What is restarted, and how.
   *
   * @param masters whether masters are restarted
   * @param servers whether region servers are restarted
   * @param only selects the processes
   * @param moves whether regions move away before a stop
   * @param patience the maximum time without progress of one step
   * @param transitionMax the age of a region in transition at which the cluster is not well
   * @param state the file with the state of an unfinished restart
   */
  public record Settings(
      boolean masters,
      boolean servers,
      Predicate<ServerName> only,
      boolean moves,
      Duration patience,
      Duration transitionMax,
      Path state) {}

  /** The cluster is not well; the message tells why and what has been done. */
  public static final class StoppedException extends IOException {
    StoppedException(String message) {
      super(message);
    }
  }

  /** Creates it; {@code progress} receives lines. */
  public RollingRestart(
      Admin admin, Restarter restarter, Settings settings, Consumer<String> progress) {
    this.admin = admin;
    this.restarter = restarter;
    this.settings = settings;
    this.progress = progress;
  }

  /** Tells what a run would do; changes nothing. */
  public void describe() throws IOException {
    RestartState state = state();
    for (Entry entry : state.entries()) {
      String what = entry.isMaster() ? "master" : "region server";
      if (entry.isDone()) {
        progress.accept("%s %s: done by an earlier run".formatted(what, entry.name()));
      } else if (entry.isMaster() || !settings.moves()) {
        progress.accept("%s %s: restart".formatted(what, entry.name()));
      } else {
        progress.accept(
            "%s %s: move %d regions away, restart, move them back"
                .formatted(
                    what,
                    entry.name(),
                    entry.regions().map(List::size).orElseGet(() -> regionCount(entry.name()))));
      }
    }
  }

  private int regionCount(ServerName server) {
    try {
      return admin.getRegions(server).size();
    } catch (IOException e) {
      return 0;
    }
  }

  /** Restarts all; returns when all serve again. */
  public void run() throws IOException, InterruptedException {
    RestartState state = state();
    if (state.balancer().isEmpty()) {
      state.setBalancer(admin.isBalancerEnabled());
    }
    admin.balancerSwitch(false, true);
    try {
      restartAll(state);
    } finally {
      admin.balancerSwitch(state.balancer().get(), true);
    }
    state.delete();
  }

  private void restartAll(RestartState state) throws IOException, InterruptedException {
    int total = state.entries().size();
    int number = 0;
    for (Entry entry : state.entries()) {
      number++;
      if (entry.isDone()) {
        continue;
      }
      String step = "[%d/%d] ".formatted(number, total);
      requireWell(state, entry.name());
      if (entry.isMaster()) {
        restartMaster(entry.name(), step);
      } else {
        restartServer(state, entry.name(), step);
      }
      state.done(entry.name());
    }
    progress.accept("All %d processes are restarted".formatted(total));
  }

  private RestartState state() throws IOException {
    if (Files.exists(settings.state())) {
      progress.accept("Continuing the restart of " + settings.state());
      return RestartState.read(settings.state());
    }
    ClusterMetrics metrics = admin.getClusterMetrics();
    List<ServerName> masters = new ArrayList<>();
    if (settings.masters()) {
      masters.addAll(metrics.getBackupMasterNames());
      masters.add(metrics.getMasterName()); // last, so that one restarted master takes over
    }
    List<ServerName> servers = settings.servers() ? metrics.getServersName() : List.of();
    return RestartState.begin(
        settings.state(),
        masters.stream().filter(settings.only()).toList(),
        servers.stream().filter(settings.only()).sorted().toList());
  }

  /** Waits until the cluster is well, so that one more process may stop. */
  private void requireWell(RestartState state, ServerName next)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + settings.patience().toNanos();
    while (true) {
      Optional<String> complaint = complaint(state, next);
      if (complaint.isEmpty()) {
        return;
      }
      if (System.nanoTime() > end) {
        throw new StoppedException(complaint.get() + ". Nothing more is restarted");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  private Optional<String> complaint(RestartState state, ServerName next) throws IOException {
    ClusterMetrics metrics = admin.getClusterMetrics();
    if (!metrics.getDeadServerNames().isEmpty()) {
      return Optional.of("Region servers are dead: " + metrics.getDeadServerNames());
    }
    Set<ServerName> present = new HashSet<>(metrics.getServersName());
    present.addAll(metrics.getBackupMasterNames());
    present.add(metrics.getMasterName());
    for (Entry entry : state.entries()) {
      if (!entry.name().equals(next) && later(entry.name(), present).isEmpty()) {
        return Optional.of(entry.name() + " does not run");
      }
    }
    long now = System.currentTimeMillis();
    for (RegionState region : metrics.getRegionStatesInTransition()) {
      if (now - region.getStamp() > settings.transitionMax().toMillis()) {
        return Optional.of(
            "The region %s has been in transition for %d s"
                .formatted(region.getRegion().getEncodedName(), (now - region.getStamp()) / 1000));
      }
    }
    return Optional.empty();
  }

  /** Returns the process at the address of {@code name}, of this life or a later one. */
  private static Optional<ServerName> later(ServerName name, Collection<ServerName> present) {
    return present.stream()
        .filter(one -> ServerName.isSameAddress(one, name))
        .filter(one -> one.getStartCode() >= name.getStartCode())
        .findFirst();
  }

  private static boolean isRestarted(ServerName name, Optional<ServerName> now) {
    return now.filter(one -> one.getStartCode() > name.getStartCode()).isPresent();
  }

  private void restartMaster(ServerName name, String step)
      throws IOException, InterruptedException {
    if (!isRestarted(name, master(name))) {
      progress.accept(step + "restarting the master " + name);
      restarter.restart(name, true);
      await(() -> isRestarted(name, master(name)), "The master " + name + " does not come back");
    }
    progress.accept(step + "the master runs again as " + master(name).orElseThrow());
  }

  private Optional<ServerName> master(ServerName name) throws IOException {
    ClusterMetrics metrics = admin.getClusterMetrics();
    List<ServerName> masters = new ArrayList<>(metrics.getBackupMasterNames());
    masters.add(metrics.getMasterName());
    return later(name, masters);
  }

  private Optional<ServerName> server(ServerName name) throws IOException {
    return later(name, admin.getClusterMetrics().getServersName());
  }

  private void restartServer(RestartState state, ServerName name, String step)
      throws IOException, InterruptedException {
    if (!isRestarted(name, server(name))) {
      if (state.entry(name).regions().isEmpty()) {
        state.setRegions(
            name, admin.getRegions(name).stream().map(RegionInfo::getEncodedName).toList());
      }
      if (settings.moves()) {
        drain(name, step);
      }
      if (admin.getConfiguration().getBoolean(REJECTS_DECOMMISSIONED, false)) {
        admin.recommissionRegionServer(name, List.of()); // otherwise it could not start again
      }
      progress.accept(step + "restarting the region server " + name);
      restarter.restart(name, false);
      await(
          () -> isRestarted(name, server(name)),
          "The region server " + name + " does not come back");
    }
    ServerName now = server(name).orElseThrow();
    progress.accept(step + "the region server runs again as " + now);
    if (settings.moves()) {
      restore(now, state.entry(name).regions().orElse(List.of()), step);
    }
  }

  private void drain(ServerName name, String step) throws IOException, InterruptedException {
    Set<ServerName> others = new HashSet<>(admin.getRegionServers());
    others.remove(name);
    others.removeAll(admin.listDecommissionedRegionServers());
    if (others.isEmpty()) {
      progress.accept(
          step + "no other region server may have the regions; clients wait for the restart");
      return;
    }
    int count = admin.getRegions(name).size();
    try {
      admin.decommissionRegionServers(List.of(name), true);
    } catch (DoNotRetryIOException e) {
      if (!e.getMessage().contains(NONE_LEFT)) {
        throw e;
      }
      // For example, it is the only server of its group.
      progress.accept(step + e.getMessage().lines().findFirst().orElseThrow());
      progress.accept(step + "the regions do not move; clients wait for the restart");
      return;
    }
    progress.accept(step + "moving " + count + " regions away from " + name);
    awaitCount(
        () -> admin.getRegions(name).size(),
        0,
        count,
        step,
        "Regions stay at %s. It is still draining: recommission_regionserver ends that"
            .formatted(name));
  }

  private void restore(ServerName now, List<String> regions, String step)
      throws IOException, InterruptedException {
    Set<String> wanted = new HashSet<>(regions);
    wanted.retainAll(existing());
    progress.accept(step + "moving " + wanted.size() + " regions back to " + now);
    long[] requested = {System.nanoTime() - REQUEST_AGAIN_NANOS};
    awaitCount(
        () -> {
          Set<String> missing = new HashSet<>(wanted);
          missing.retainAll(existing());
          admin.getRegions(now).forEach(region -> missing.remove(region.getEncodedName()));
          // A new master does not know what its predecessor was to move.
          if (System.nanoTime() - requested[0] >= REQUEST_AGAIN_NANOS) {
            admin.recommissionRegionServer(now, missing.stream().map(Bytes::toBytes).toList());
            requested[0] = System.nanoTime();
          }
          return missing.size();
        },
        0,
        wanted.size(),
        step,
        "Regions do not return to " + now);
  }

  /** Returns the encoded names of all regions, also of those that are moving. */
  private Set<String> existing() throws IOException {
    Set<String> existing = new HashSet<>();
    for (TableDescriptor table : admin.listTableDescriptors((Pattern) null, true)) {
      admin
          .getRegions(table.getTableName())
          .forEach(region -> existing.add(region.getEncodedName()));
    }
    return existing;
  }

  /** A number that is asked for again and again. */
  private interface Count {
    int now() throws IOException;
  }

  /** A condition that is asked for again and again. */
  private interface Condition {
    boolean holds() throws IOException;
  }

  private void await(Condition condition, String complaint)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + settings.patience().toNanos();
    while (!holds(condition)) {
      if (System.nanoTime() > end) {
        throw new StoppedException(complaint + ". Nothing more is restarted");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** Asks; a cluster whose master is being restarted may not answer. */
  private static boolean holds(Condition condition) {
    try {
      return condition.holds();
    } catch (IOException e) {
      return false;
    }
  }

  /** Waits until a number is at its goal; gives up if it does not change for long. */
  private void awaitCount(Count count, int goal, int first, String step, String complaint)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + settings.patience().toNanos();
    int last = first;
    while (true) {
      int now = count.now();
      if (now == goal) {
        return;
      }
      if (now < last) {
        last = now;
        end = System.nanoTime() + settings.patience().toNanos();
        progress.accept(step + "  " + (first - now) + " of " + first);
      }
      if (System.nanoTime() > end) {
        throw new StoppedException(
            "%s: %d of %d are left. Nothing more is restarted".formatted(complaint, now, first));
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }
}
