package dev.cairn.server.master.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Address;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.rpc.wire.NamedException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Which changes of groups are allowed. */
class GroupChecksTest {
  private static final GroupFacts FACTS =
      new GroupFacts(
          servers("a", "b", "c", "d"),
          servers("dead", "buried"),
          tables("t", "u", "v"),
          Map.of("shop", "named"));

  /** The group {@code g} with the servers a, b and gone, and the table t; the group empty. */
  private final GroupMap map =
      GroupMap.EMPTY
          .with(ServerGroup.empty("g").with(servers("a", "b", "gone", "dead"), tables("t")))
          .with(ServerGroup.empty("empty"));

  private static Set<Address> servers(String... hosts) {
    return Arrays.stream(hosts)
        .map(host -> new Address(host, 16020))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<TableName> tables(String... names) {
    return Arrays.stream(names)
        .map(TableName::parse)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void assertRefused(String reason, ThrowingCallable change) {
    assertThatThrownBy(change)
        .isInstanceOf(NamedException.class)
        .hasToString(NamedException.CONSTRAINT + ": " + reason);
  }

  @Test
  void aMemberIsInOneGroup() {
    SortedSet<Address> shared = new TreeSet<>(List.of(new Address("one", 16020)));
    GroupMap map =
        GroupMap.of(
            List.of(
                ServerGroup.empty("a").with(shared, Set.of()),
                ServerGroup.empty("b").with(shared, Set.of())));
    assertThat(map.find("a").orElseThrow().servers()).isEqualTo(shared);
    assertThat(map.find("b").orElseThrow().servers()).isEmpty();
    assertThat(map.groupOf(shared.first())).isEqualTo("a");
  }

  @Test
  void aNewGroupHasANameOfItsOwn() throws IOException {
    assertThat(GroupChecks.add(map, "h_2").find("h_2")).contains(ServerGroup.empty("h_2"));
    for (String name : new String[] {"", "h-2", "h.2", "ä"}) {
      assertRefused(
          "A RSGroup's name has letters, digits and underscores only, not <" + name + ">",
          () -> GroupChecks.add(map, name));
    }
    for (String name : new String[] {"g", "default"}) {
      assertThatThrownBy(() -> GroupChecks.add(map, name))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessage("Group already exists: " + name);
    }
  }

  @Test
  void onlyAGroupThatNothingUsesIsRemoved() throws IOException {
    assertThat(GroupChecks.remove(map, FACTS, "empty").exists("empty")).isFalse();
    assertRefused(
        "The group default cannot be removed", () -> GroupChecks.remove(map, FACTS, "default"));
    assertRefused("RSGroup h does not exist", () -> GroupChecks.remove(map, FACTS, "h"));
    assertRefused(
        "RSGroup g has 1 tables; move them to another group before you remove it",
        () -> GroupChecks.remove(map, FACTS, "g"));
    assertRefused(
        "RSGroup g has 4 servers; move them to another group before you remove it",
        () -> GroupChecks.remove(map.move(Set.of(), tables("t"), "default"), FACTS, "g"));
    assertRefused(
        "RSGroup named is referenced by namespace: shop",
        () -> GroupChecks.remove(map.with(ServerGroup.empty("named")), FACTS, "named"));
  }

  @Test
  void aGroupKeepsItsMembersUnderAnotherName() throws IOException {
    GroupMap after = GroupChecks.rename(map, FACTS, "g", "h");
    assertThat(after.exists("g")).isFalse();
    assertThat(after.find("h").orElseThrow().servers())
        .isEqualTo(servers("a", "b", "gone", "dead"));
    assertThat(after.groupOf(TableName.parse("t"))).isEqualTo("h");
    assertRefused(
        "The group default cannot be renamed",
        () -> GroupChecks.rename(map, FACTS, "default", "h"));
    assertRefused("RSGroup x does not exist", () -> GroupChecks.rename(map, FACTS, "x", "h"));
    assertThatThrownBy(() -> GroupChecks.rename(map, FACTS, "g", "empty"))
        .hasMessage("Group already exists: empty");
    assertThat(GroupChecks.rename(map, FACTS, "named", "g"))
        .as("the namespace shop has the old name")
        .isEqualTo(map);
    assertRefused(
        "RSGroup named does not exist", () -> GroupChecks.rename(map, FACTS, "named", "h"));
  }

  @Test
  void settingsReplaceThoseBefore() throws IOException {
    GroupMap once = GroupChecks.configure(map, "g", Map.of("a", "1", "b", "2"));
    GroupMap twice = GroupChecks.configure(once, "g", Map.of("b", "3"));
    assertThat(twice.find("g").orElseThrow().configuration()).containsOnly(Map.entry("b", "3"));
    assertRefused(
        "The configuration of the group default cannot be stored",
        () -> GroupChecks.configure(map, "default", Map.of()));
  }

  @Test
  void serversMoveBetweenGroups() throws IOException {
    GroupMap there = GroupChecks.moveServers(map, FACTS, servers("c"), "g");
    assertThat(there.groupOf(new Address("C", 16020))).isEqualTo("g");
    GroupMap back = GroupChecks.moveServers(there, FACTS, servers("c"), "default");
    assertThat(back).isEqualTo(map);
    assertThat(FACTS.defaultGroup(back).servers()).isEqualTo(servers("c", "d"));
    assertThat(
            GroupChecks.moveServers(map, FACTS, servers("a", "gone"), "empty")
                .groupOf(new Address("gone", 16020)))
        .isEqualTo("empty");
  }

  @Test
  void aMoveOfServersMayBeRepeated() throws IOException {
    assertThat(GroupChecks.moveServers(map, FACTS, servers("a", "b", "gone", "dead"), "g"))
        .isEqualTo(map);
    assertThat(GroupChecks.moveServers(map, FACTS, servers("c", "d"), "default")).isEqualTo(map);
    assertThat(GroupChecks.moveServers(map, FACTS, Set.of(), "g")).isEqualTo(map);
  }

  @Test
  void serversThatCannotMove() {
    assertRefused(
        "RSGroup does not exist: x", () -> GroupChecks.moveServers(map, FACTS, Set.of(), "x"));
    assertRefused(
        "Server unknown:16020 is either offline or it does not exist.",
        () -> GroupChecks.moveServers(map, FACTS, servers("unknown"), "g"));
    assertRefused(
        "All servers must be in one group; some are in g, and c:16020 is in default",
        () -> GroupChecks.moveServers(map, FACTS, servers("a", "c"), "empty"));
    assertRefused(
        "The group default must keep at least one server that is online",
        () -> GroupChecks.moveServers(map, FACTS, servers("c", "d"), "g"));
    assertRefused(
        "RSGroup g would keep 1 tables without a server; leave it a server, or move the tables",
        () -> GroupChecks.moveServers(map, FACTS, servers("a", "b", "gone", "dead"), "empty"));
  }

  @Test
  void tablesMoveToAGroupWithAServer() throws IOException {
    GroupMap there = GroupChecks.moveTables(map, FACTS, tables("t", "u"), "g");
    assertThat(there.find("g").orElseThrow().tables()).isEqualTo(tables("t", "u"));
    GroupMap back = GroupChecks.moveTables(there, FACTS, tables("t", "u"), "default");
    assertThat(FACTS.defaultGroup(back).tables()).isEqualTo(tables("t", "u", "v"));
    assertRefused(
        "RSGroup empty has no server; a group with tables needs one",
        () -> GroupChecks.moveTables(map, FACTS, tables("u"), "empty"));
    assertRefused(
        "RSGroup does not exist: x", () -> GroupChecks.moveTables(map, FACTS, tables("u"), "x"));
    assertThatThrownBy(() -> GroupChecks.moveTables(map, FACTS, tables("nowhere"), "g"))
        .isInstanceOf(TableNotFoundException.class)
        .hasMessage("nowhere");
  }

  @Test
  void serversAndTablesMoveTogether() throws IOException {
    GroupMap after =
        GroupChecks.moveServersAndTables(
            map, FACTS, servers("a", "b", "gone", "dead"), tables("t"), "empty");
    assertThat(after.find("g")).contains(ServerGroup.empty("g"));
    assertThat(after.find("empty").orElseThrow().tables()).isEqualTo(tables("t"));
    assertThat(
            GroupChecks.moveServersAndTables(
                after, FACTS, servers("a", "b", "gone", "dead"), tables("t"), "empty"))
        .isEqualTo(after);
    assertRefused(
        "The list of servers to move cannot be empty",
        () -> GroupChecks.moveServersAndTables(map, FACTS, Set.of(), tables("t"), "empty"));
    assertRefused(
        "The list of tables to move cannot be empty",
        () -> GroupChecks.moveServersAndTables(map, FACTS, servers("a"), Set.of(), "empty"));
    assertRefused(
        "All tables must be in the group of the servers, g; u is in default",
        () ->
            GroupChecks.moveServersAndTables(map, FACTS, servers("a"), tables("t", "u"), "empty"));
  }

  @Test
  void onlyServersThatStayAwayAreRemoved() throws IOException {
    assertThat(
            GroupChecks.removeServers(map, FACTS, servers("gone"))
                .find("g")
                .orElseThrow()
                .servers())
        .isEqualTo(servers("a", "b", "dead"));
    assertThat(GroupChecks.removeServers(map, FACTS, servers("unknown"))).isEqualTo(map);
    assertRefused(
        "The list of servers to remove cannot be empty",
        () -> GroupChecks.removeServers(map, FACTS, Set.of()));
    assertRefused(
        "Server a:16020 is online, so it cannot be removed",
        () -> GroupChecks.removeServers(map, FACTS, servers("a")));
    assertRefused(
        "Server dead:16020 is among the dead servers and may come back; remove it after"
            + " clear_deadservers",
        () -> GroupChecks.removeServers(map, FACTS, servers("dead")));
  }

  @Test
  void aGroupIsReadAsItWasWritten() throws IOException {
    ServerGroup group = map.find("g").orElseThrow().configured(Map.of("k", "v"));
    assertThat(ServerGroup.parse(group.message().toByteString())).isEqualTo(group);
  }
}
