package dev.cairn.server.master.group;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.GroupTable;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.namespace.Namespaces;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;

/**
 * Gives new tables their groups: the group that the table's attribute {@code hbase.rsgroup.name}
 * names, else the one that the namespace's property of this name names, else {@link
 * ServerGroup#DEFAULT}. Without groups, all methods do nothing. Owned by the loop.
 */
public final class TableGroups {
  private final ServerGroups groups;
  private final Namespaces namespaces;
  private final Supplier<GroupFacts> facts;

  TableGroups(ServerGroups groups, Namespaces namespaces, Supplier<GroupFacts> facts) {
    this.groups = groups;
    this.namespaces = namespaces;
    this.facts = facts;
  }

  /** Returns the group that a namespace names. */
  static Optional<String> group(NamespaceDescriptor namespace) {
    return namespace.getConfigurationList().stream()
        .filter(pair -> pair.getName().equals(ServerGroup.PROPERTY))
        .map(NameStringPair::getValue)
        .findFirst();
  }

  /** Checks that the group that a namespace names exists. */
  public void checkNamespace(NamespaceDescriptor namespace) throws IOException {
    Optional<String> group = group(namespace);
    if (groups.isEnabled() && group.isPresent()) {
      groups.requireLoaded();
      requireExists(group.get());
    }
  }

  /**
   * Checks that a new table's group exists and has a server.
   *
   * @throws HBaseIOException if no server of the group is online; a client tries again
   */
  public void checkNew(TableSchema schema) throws IOException {
    if (!groups.isEnabled() || isSystem(schema.name())) {
      return;
    }
    groups.requireLoaded();
    requireServer(groupOfNew(schema), schema);
  }

  private void requireServer(String group, TableSchema schema) throws IOException {
    requireExists(group);
    boolean hasServer =
        facts.get().online().stream()
            .anyMatch(server -> groups.map().groupOf(server).equals(group));
    if (!hasServer) {
      throw new HBaseIOException(
          "No server of the group "
              + group
              + ", which the table "
              + schema.name()
              + " belongs to, is online");
    }
  }

  /** Checks that the group that a changed descriptor newly names exists and has a server. */
  public void checkChanged(TableSchema before, TableSchema after) throws IOException {
    Optional<String> group = changedGroup(before, after);
    if (group.isPresent()) {
      groups.requireLoaded();
      requireServer(group.get(), after);
    }
  }

  /** Puts a new table into its group. */
  public void enter(TableSchema schema, Completion completion) {
    if (!groups.isEnabled() || schema.name().equals(GroupTable.NAME)) {
      completion.done();
    } else {
      move(schema.name(), groupOfNew(schema), completion);
    }
  }

  /**
   * Moves a table to the group that its descriptor newly names; its regions follow as they open.
   */
  public void change(TableSchema before, TableSchema after, Completion completion) {
    changedGroup(before, after)
        .ifPresentOrElse(group -> move(after.name(), group, completion), completion::done);
  }

  /** Removes a deleted table from its group. */
  public void leave(TableName table, Completion completion) {
    if (!groups.isEnabled()) {
      completion.done();
    } else {
      move(table, ServerGroup.DEFAULT, completion);
    }
  }

  private void move(TableName table, String group, Completion completion) {
    boolean isKnown = groups.isLoaded() || isSystem(table); // the groups may be in such a table
    if (isKnown && groups.map().groupOf(table).equals(group)) {
      completion.done();
      return;
    }
    groups.changeSurely(
        // If the group is removed meanwhile, the table belongs to the default group.
        map -> map.move(Set.of(), Set.of(table), group),
        completion);
  }

  private Optional<String> changedGroup(TableSchema before, TableSchema after) {
    return after
        .attribute(ServerGroup.PROPERTY)
        .filter(group -> groups.isEnabled())
        .filter(group -> !before.attribute(ServerGroup.PROPERTY).equals(Optional.of(group)));
  }

  private String groupOfNew(TableSchema schema) {
    return schema
        .attribute(ServerGroup.PROPERTY)
        .or(() -> namespaces.find(schema.name().namespace()).flatMap(TableGroups::group))
        .orElse(ServerGroup.DEFAULT);
  }

  private void requireExists(String group) throws IOException {
    if (!groups.map().exists(group)) {
      throw GroupChecks.refused("Region server group " + group + " does not exist.");
    }
  }

  private static boolean isSystem(TableName table) {
    return table.namespace().equals(TableName.SYSTEM_NAMESPACE);
  }
}
