package dev.cairn.server.master.table;

import dev.cairn.engine.schema.TableName;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;

/** Names the tables that procedures change, and the users who requested the change. Thread-safe. */
public final class TableResource {
  private static final String PREFIX = "table:";

  private TableResource() {}

  /** Returns the resource of a table. */
  public static String of(TableName table) {
    return PREFIX + table.namespace() + ":" + table.qualifier();
  }

  /** Tells whether {@code resource} is a table of {@code namespace}. */
  public static boolean isIn(String resource, String namespace) {
    return resource.startsWith(PREFIX + namespace + ":");
  }

  /** Returns the namespace of the table that {@code resource} names; empty for others. */
  public static Optional<String> namespace(String resource) {
    return resource.startsWith(PREFIX)
        ? Optional.of(resource.substring(PREFIX.length(), resource.indexOf(':', PREFIX.length())))
        : Optional.empty();
  }

  /** Returns the message that names a user. */
  public static UserInformation user(String name) {
    return UserInformation.newBuilder().setEffectiveUser(name).build();
  }
}
