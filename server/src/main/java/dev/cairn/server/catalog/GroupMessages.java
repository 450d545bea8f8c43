package dev.cairn.server.catalog;

import dev.cairn.engine.schema.TableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.DescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.Descriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.DescriptorValidationException;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FileDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.DynamicMessage;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The messages about groups of region servers. HBase 2.6 has classes for them only in {@code
 * hbase-protocol} and {@code hbase-rsgroup}, for another version of protobuf. So they are described
 * here, field by field, and handled as dynamic messages. Tests compare the fields with HBase's.
 */
public final class GroupMessages {
  /** The message of one group. */
  public static final String INFO = "RSGroupInfo";

  /** The name of the service, as clients send it. */
  public static final String SERVICE = "RSGroupAdminService";

  /** The class of HBase's client to which the messages of the service belong. */
  private static final String OUTER =
      "org.apache.hadoop.hbase.protobuf.generated.RSGroupAdminProtos$";

  private static final String PACKAGE = "hbase.pb";

  private static final FileDescriptor FILE = describe();

  private GroupMessages() {}

  private static FileDescriptor describe() {
    FileDescriptorProto.Builder file =
        FileDescriptorProto.newBuilder().setName("RSGroupAdmin.proto").setPackage(PACKAGE);
    file.addDependency(HBaseProtos.getDescriptor().getName());
    message(
        file,
        INFO,
        "required string name 1",
        "repeated ServerName servers 4",
        "repeated TableName tables 3",
        "repeated NameStringPair configuration 5");
    String group = "required string r_s_group_name 1";
    String info = "optional RSGroupInfo r_s_group_info 1";
    method(file, "GetRSGroupInfo", List.of(group), List.of(info));
    method(
        file, "GetRSGroupInfoOfTable", List.of("required TableName table_name 1"), List.of(info));
    method(file, "GetRSGroupInfoOfServer", List.of("required ServerName server 2"), List.of(info));
    method(
        file,
        "MoveServers",
        List.of("required string target_group 1", "repeated ServerName servers 3"),
        List.of());
    method(
        file,
        "MoveTables",
        List.of("required string target_group 1", "repeated TableName table_name 2"),
        List.of());
    method(file, "AddRSGroup", List.of(group), List.of());
    method(file, "RemoveRSGroup", List.of(group), List.of());
    method(
        file,
        "BalanceRSGroup",
        List.of(group, "optional bool ignore_rit 2", "optional bool dry_run 3"),
        List.of(
            "required bool balanceRan 1",
            "optional uint32 moves_calculated 2",
            "optional uint32 moves_executed 3"));
    method(file, "ListRSGroupInfos", List.of(), List.of("repeated RSGroupInfo r_s_group_info 1"));
    method(
        file,
        "MoveServersAndTables",
        List.of(
            "required string target_group 1",
            "repeated ServerName servers 2",
            "repeated TableName table_name 3"),
        List.of());
    method(file, "RemoveServers", List.of("repeated ServerName servers 1"), List.of());
    method(
        file,
        "RenameRSGroup",
        List.of("required string old_rsgroup_name 1", "required string new_rsgroup_name 2"),
        List.of());
    method(
        file,
        "UpdateRSGroupConfig",
        List.of("required string group_name 1", "repeated NameStringPair configuration 2"),
        List.of());
    try {
      return FileDescriptor.buildFrom(
          file.build(), new FileDescriptor[] {HBaseProtos.getDescriptor()});
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException("The messages about groups are described wrongly", e);
    }
  }

  private static void method(
      FileDescriptorProto.Builder file, String name, List<String> request, List<String> response) {
    message(file, name + "Request", request.toArray(String[]::new));
    message(file, name + "Response", response.toArray(String[]::new));
  }

  /** Adds a message with fields of the form "label type name number". */
  private static void message(FileDescriptorProto.Builder file, String name, String... fields) {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
    for (String field : fields) {
      String[] words = field.split(" ");
      FieldDescriptorProto.Builder proto =
          FieldDescriptorProto.newBuilder()
              .setLabel(
                  FieldDescriptorProto.Label.valueOf("LABEL_" + words[0].toUpperCase(Locale.ROOT)))
              .setName(words[2])
              .setNumber(Integer.parseInt(words[3]));
      if (Character.isUpperCase(words[1].charAt(0))) {
        proto
            .setType(FieldDescriptorProto.Type.TYPE_MESSAGE)
            .setTypeName("." + PACKAGE + "." + words[1]);
      } else {
        proto.setType(
            FieldDescriptorProto.Type.valueOf("TYPE_" + words[1].toUpperCase(Locale.ROOT)));
      }
      message.addField(proto);
    }
    file.addMessageType(message);
  }

  /** Returns the descriptors of all messages. */
  public static List<Descriptor> descriptors() {
    return FILE.getMessageTypes();
  }

  /** Returns the name of the class that HBase's client has for a message of the service. */
  public static String className(Message message) {
    return OUTER + message.getDescriptorForType().getName();
  }

  /** Returns a builder of the message {@code name}. */
  public static Builder builder(String name) {
    return new Builder(DynamicMessage.newBuilder(FILE.findMessageTypeByName(name)));
  }

  /**
   * Reads the message {@code name}.
   *
   * @throws DoNotRetryIOException if the bytes are not one
   */
  public static Reader parse(String name, ByteString bytes) throws DoNotRetryIOException {
    try {
      return new Reader(DynamicMessage.parseFrom(FILE.findMessageTypeByName(name), bytes));
    } catch (InvalidProtocolBufferException e) {
      throw new DoNotRetryIOException("A " + name + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Builds a message. */
  public static final class Builder {
    private final DynamicMessage.Builder message;

    private Builder(DynamicMessage.Builder message) {
      this.message = message;
    }

    /** Sets a field. */
    public Builder set(String field, Object value) {
      message.setField(field(message.getDescriptorForType(), field), value);
      return this;
    }

    /** Adds a value to a repeated field. */
    public Builder add(String field, Message value) {
      message.addRepeatedField(field(message.getDescriptorForType(), field), value);
      return this;
    }

    /** Returns the message. */
    public Message build() {
      return message.build();
    }
  }

  /** Reads the fields of a message. */
  public static final class Reader {
    private final DynamicMessage message;

    private Reader(DynamicMessage message) {
      this.message = message;
    }

    /** Tells whether an optional field is set. */
    public boolean has(String field) {
      return message.hasField(field(message.getDescriptorForType(), field));
    }

    /** Returns a text. */
    public String text(String field) {
      return (String) value(field);
    }

    /** Returns a flag; false if it is not set. */
    public boolean flag(String field) {
      return (Boolean) value(field);
    }

    /** Returns a number; 0 if it is not set. */
    public int number(String field) {
      return (Integer) value(field);
    }

    /** Returns the only server that a field names. */
    public Address server(String field) throws IOException {
      return Address.of(HBaseProtos.ServerName.parseFrom(bytes(value(field))));
    }

    /** Returns the only table that a field names. */
    public TableName table(String field) throws IOException {
      return Messages.tableName(HBaseProtos.TableName.parseFrom(bytes(value(field))));
    }

    /** Returns the only group that a field describes. */
    public ServerGroup group(String field) throws IOException {
      return ServerGroup.parse(bytes(value(field)));
    }

    /** Returns the servers that a repeated field names. */
    public SortedSet<Address> servers(String field) throws IOException {
      SortedSet<Address> servers = new TreeSet<>();
      for (ByteString one : all(field)) {
        servers.add(Address.of(HBaseProtos.ServerName.parseFrom(one)));
      }
      return servers;
    }

    /** Returns the tables that a repeated field names. */
    public SortedSet<TableName> tables(String field) throws IOException {
      SortedSet<TableName> tables = new TreeSet<>();
      for (ByteString one : all(field)) {
        tables.add(Messages.tableName(HBaseProtos.TableName.parseFrom(one)));
      }
      return tables;
    }

    /** Returns the pairs of a repeated field. */
    public SortedMap<String, String> pairs(String field) throws IOException {
      SortedMap<String, String> pairs = new TreeMap<>();
      for (ByteString one : all(field)) {
        HBaseProtos.NameStringPair pair = HBaseProtos.NameStringPair.parseFrom(one);
        pairs.put(pair.getName(), pair.getValue());
      }
      return pairs;
    }

    /** Returns the groups of a repeated field. */
    public List<ServerGroup> groups(String field) throws IOException {
      List<ServerGroup> groups = new ArrayList<>();
      for (ByteString one : all(field)) {
        groups.add(ServerGroup.parse(one));
      }
      return groups;
    }

    private List<ByteString> all(String field) {
      return ((List<?>) value(field)).stream().map(Reader::bytes).toList();
    }

    private Object value(String field) {
      return message.getField(field(message.getDescriptorForType(), field));
    }

    private static ByteString bytes(Object value) {
      return ((Message) value).toByteString();
    }
  }

  private static FieldDescriptor field(Descriptor type, String name) {
    FieldDescriptor field = type.findFieldByName(name);
    if (field == null) {
      throw new IllegalArgumentException(type.getName() + " has no field " + name);
    }
    return field;
  }
}
