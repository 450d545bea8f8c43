package dev.cairn.tools.overview;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state of a cluster at one moment: its servers, tasks and regions in transition. Immutable.
 *
 * @param clusterId the cluster's id
 * @param nodes the live masters and region servers, the active master first
 * @param dead the names of dead region servers
 * @param tasks the master's tasks: recoveries of dead servers, procedures
 * @param transitions the regions in transition
 * @param timeMillis the time of the query, by this machine's clock
 * @param skewMaxMillis the largest clock skew without a problem
 */
public record ClusterOverview(
    String clusterId,
    List<Node> nodes,
    List<String> dead,
    List<Task> tasks,
    List<Transition> transitions,
    long timeMillis,
    long skewMaxMillis) {
  /** Copies the lists. */
  public ClusterOverview {
    nodes = List.copyOf(nodes);
    dead = List.copyOf(dead);
    tasks = List.copyOf(tasks);
    transitions = List.copyOf(transitions);
  }

  /**
   * A server.
   *
   * @param role active master, backup master or region server
   * @param name host, port and start code
   * @param regions the number of its regions; empty for a master
   * @param unreachable why a client on this machine cannot connect to it under its name
   * @param skewMillis its clock's time minus this machine's; empty if it did not answer
   * @param sessionMillis the timeout that ZooKeeper granted its session
   * @param health its health in one line; the reason why it is unknown, if it did not answer
   */
  public record Node(
      Role role,
      String name,
      Optional<Integer> regions,
      Optional<String> unreachable,
      Optional<Long> skewMillis,
      Optional<Long> sessionMillis,
      String health) {}

  /** The roles of servers. */
  public enum Role {
    /** The active master. */
    ACTIVE_MASTER("active master"),
    /** A master that waits to become active. */
    BACKUP_MASTER("backup master"),
    /** A region server. */
    REGION_SERVER("region server");

    private final String title;

    Role(String title) {
      this.title = title;
    }

    /** Returns the role in words. */
    public String title() {
      return title;
    }
  }

  /**
   * A task of the master.
   *
   * @param description its subject
   * @param status its progress, or the event that it waits for
   * @param sinceMillis the time of its start, by the master's clock
   */
  public record Task(String description, String status, long sinceMillis) {}

  /**
   * A region in transition.
   *
   * @param region its name
   * @param state its state, as in {@code hbase:meta}
   * @param server its present or last server
   * @param sinceMillis the time of its last change of state, by the master's clock
   */
  public record Transition(
      String region, String state, Optional<String> server, long sinceMillis) {}

  /** Returns the problems for an operator, one sentence each. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (Node node : nodes) {
      String who = "The " + node.role().title() + " " + node.name();
      node.unreachable()
          .ifPresent(
              why ->
                  problems.add(
                      who
                          + " cannot be reached from this machine under its name: "
                          + why
                          + ". Clients use this name: check name resolution and firewalls"
                          + " (hbase.unsafe.regionserver.hostname, hbase.master.hostname)"));
      node.skewMillis()
          .filter(skew -> Math.abs(skew) > skewMaxMillis)
          .ifPresent(
              skew ->
                  problems.add(
                      who
                          + " has a clock that differs from this machine's by "
                          + Math.abs(skew)
                          + " ms: synchronize the clocks with NTP (hbase.master.maxclockskew)"));
    }
    return problems;
  }
}
