package dev.cairn.server.catalog;

import dev.cairn.engine.schema.TableName;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * A group of region servers, with the tables that only they serve. Immutable.
 *
 * @param name its name
 * @param servers its members, alive or not
 * @param tables its tables
 * @param configuration settings that administrators attach to it; no server reads them
 */
public record ServerGroup(
    String name,
    SortedSet<Address> servers,
    SortedSet<TableName> tables,
    SortedMap<String, String> configuration) {
  /** The group of all servers and tables that are in no other one. */
  public static final String DEFAULT = "default";

  /** The property of a namespace, and the attribute of a table, that names a group. */
  public static final String PROPERTY = "hbase.rsgroup.name";

  /** Copies the collections. */
  public ServerGroup {
    servers = Collections.unmodifiableSortedSet(new TreeSet<>(servers));
    tables = Collections.unmodifiableSortedSet(new TreeSet<>(tables));
    configuration = Collections.unmodifiableSortedMap(new TreeMap<>(configuration));
  }

  /** Returns a group without members. */
  public static ServerGroup empty(String name) {
    return new ServerGroup(name, new TreeSet<>(), new TreeSet<>(), new TreeMap<>());
  }

  /** Returns this group under another name. */
  public ServerGroup named(String other) {
    return new ServerGroup(other, servers, tables, configuration);
  }

  /** Returns this group with other settings. */
  public ServerGroup configured(Map<String, String> settings) {
    return new ServerGroup(name, servers, tables, new TreeMap<>(settings));
  }

  /** Returns this group with more members. */
  public ServerGroup with(Collection<Address> moreServers, Collection<TableName> moreTables) {
    SortedSet<Address> allServers = new TreeSet<>(servers);
    allServers.addAll(moreServers);
    SortedSet<TableName> allTables = new TreeSet<>(tables);
    allTables.addAll(moreTables);
    return new ServerGroup(name, allServers, allTables, configuration);
  }

  /** Returns this group without some of its members. */
  public ServerGroup without(Collection<Address> goneServers, Collection<TableName> goneTables) {
    SortedSet<Address> otherServers = new TreeSet<>(servers);
    otherServers.removeAll(goneServers);
    SortedSet<TableName> otherTables = new TreeSet<>(tables);
    otherTables.removeAll(goneTables);
    return new ServerGroup(name, otherServers, otherTables, configuration);
  }

  /** Returns the names of the tables, as users write them. */
  public List<String> tableNames() {
    return tables.stream().map(TableName::toString).toList();
  }

  /** Returns the message that describes this group. */
  public Message message() {
    GroupMessages.Builder message = GroupMessages.builder(GroupMessages.INFO).set("name", name);
    servers.forEach(server -> message.add("servers", server.message()));
    tables.forEach(table -> message.add("tables", Messages.message(table)));
    configuration.forEach(
        (key, value) ->
            message.add(
                "configuration",
                HBaseProtos.NameStringPair.newBuilder().setName(key).setValue(value).build()));
    return message.build();
  }

  /**
   * Returns the group that a message describes.
   *
   * @throws IOException if the bytes are not such a message
   */
  public static ServerGroup parse(ByteString bytes) throws IOException {
    GroupMessages.Reader message = GroupMessages.parse(GroupMessages.INFO, bytes);
    try {
      return new ServerGroup(
          message.text("name"),
          message.servers("servers"),
          message.tables("tables"),
          message.pairs("configuration"));
    } catch (IllegalArgumentException e) {
      throw new IOException("The message of a group of servers cannot be read: " + e, e);
    }
  }
}
