package dev.cairn.interop.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Writes and reads Thrift's binary protocol byte by byte, as a client in another language does,
 * without Thrift's own classes.
 */
final class RawThrift {
  private static final int CALL = 0x8001_0001;
  private static final int REPLY = 0x8001_0002;
  private static final int SEQUENCE = 1;

  private static final byte STOP = 0;
  private static final byte BOOL = 2;
  private static final byte I32 = 8;
  private static final byte I64 = 10;
  private static final byte STRING = 11;
  private static final byte STRUCT = 12;
  private static final byte MAP = 13;
  private static final byte LIST = 15;

  private RawThrift() {}

  /** The fields of a struct, in the order in which they are written. */
  static final class Fields {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    private interface Writing {
      void to(DataOutputStream out) throws IOException;
    }

    private Fields field(byte type, int id, Writing value) {
      try {
        out.writeByte(type);
        out.writeShort(id);
        value.to(out);
        return this;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    Fields text(int id, String value) {
      return field(STRING, id, to -> write(value, to));
    }

    Fields number(int id, int value) {
      return field(I32, id, to -> to.writeInt(value));
    }

    Fields flag(int id, boolean value) {
      return field(BOOL, id, to -> to.writeBoolean(value));
    }

    Fields struct(int id, Consumer<Fields> value) {
      return field(STRUCT, id, to -> to.write(RawThrift.struct(value)));
    }

    /** Writes a list with one struct. */
    Fields listOf(int id, Consumer<Fields> value) {
      return field(
          LIST,
          id,
          to -> {
            to.writeByte(STRUCT);
            to.writeInt(1);
            to.write(RawThrift.struct(value));
          });
    }

    /** Writes a map from text to text without entries. */
    Fields emptyMap(int id) {
      return field(
          MAP,
          id,
          to -> {
            to.writeByte(STRING);
            to.writeByte(STRING);
            to.writeInt(0);
          });
    }
  }

  private static byte[] struct(Consumer<Fields> value) {
    Fields fields = new Fields();
    value.accept(fields);
    fields.bytes.write(STOP);
    return fields.bytes.toByteArray();
  }

  private static void write(String text, DataOutputStream out) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Returns the message of a call: version and type, name, sequence number, arguments. */
  static byte[] call(String method, Consumer<Fields> arguments) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(CALL);
    write(method, out);
    out.writeInt(SEQUENCE);
    out.write(struct(arguments));
    return bytes.toByteArray();
  }

  /**
   * Reads the message of an answer.
   *
   * @return the fields by number: 0 is the result, others are exceptions
   */
  static Map<Integer, Object> answer(DataInputStream in, String method) throws IOException {
    assertThat(in.readInt()).as("version and type").isEqualTo(REPLY);
    assertThat(text(in)).isEqualTo(method);
    assertThat(in.readInt()).as("sequence number").isEqualTo(SEQUENCE);
    return readStruct(in);
  }

  private static Map<Integer, Object> readStruct(DataInputStream in) throws IOException {
    Map<Integer, Object> fields = new TreeMap<>();
    for (byte type = in.readByte(); type != STOP; type = in.readByte()) {
      int id = in.readShort();
      fields.put(id, read(type, in));
    }
    return fields;
  }

  private static Object read(byte type, DataInputStream in) throws IOException {
    return switch (type) {
      case BOOL -> in.readBoolean();
      case I32 -> in.readInt();
      case I64 -> in.readLong();
      case STRING -> text(in);
      case STRUCT -> readStruct(in);
      case MAP -> readMap(in);
      case LIST -> readList(in);
      default -> throw new IOException("type " + type);
    };
  }

  private static Map<Object, Object> readMap(DataInputStream in) throws IOException {
    byte keys = in.readByte();
    byte values = in.readByte();
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      map.put(read(keys, in), read(values, in));
    }
    return map;
  }

  private static List<Object> readList(DataInputStream in) throws IOException {
    byte type = in.readByte();
    List<Object> list = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      list.add(read(type, in));
    }
    return list;
  }

  private static String text(DataInputStream in) throws IOException {
    byte[] text = new byte[in.readInt()];
    in.readFully(text);
    return new String(text, StandardCharsets.UTF_8);
  }
}
