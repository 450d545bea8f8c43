package dev.cairn.interop.hostile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.EnumValueDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.DynamicMessage;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * Makes of a good message one that is wrong in some way: fields are missing, repeated, of another
 * type, out of range, or filled in where they do not belong; bytes are lost, added or changed.
 * Draws from the random numbers it is given, and from nothing else.
 */
final class MessageMutator {
  private static final int DEPTH_MAX = 6;
  private static final long[] NUMBERS = {
    0,
    1,
    -1,
    2,
    7,
    255,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 31,
    1L << 32,
    1L << 62,
    Long.MAX_VALUE,
    Long.MAX_VALUE - 1,
    Long.MIN_VALUE
  };
  private static final String[] TEXTS = {
    "",
    " ",
    ".",
    "..",
    "../../x",
    "/",
    "a/b",
    "a:b:c",
    ":",
    "*",
    "(",
    "[a-",
    "\u0000",
    "\ud83d\udc7e",
    "-1",
    "0x10",
    "1e9",
    "NaN",
    "TRUE",
    "hbase",
    "hbase:meta",
    "default",
    "java.lang.String",
    "org.apache.hadoop.hbase.filter.FilterList",
    "org.apache.hadoop.hbase.filter.PageFilter"
  };

  private final Random random;

  MessageMutator(Random random) {
    this.random = random;
  }

  /** Returns the bytes of a message that is {@code sample}, but for one to three faults. */
  byte[] mutate(Message sample) {
    Message message = sample;
    int faults = 1 + random.nextInt(3);
    int kind = random.nextInt(10);
    if (kind < 6) {
      for (int i = 0; i < faults; i++) {
        message = structure(message, 0);
      }
      return partial(message);
    }
    if (kind < 8) {
      byte[] bytes = partial(random.nextBoolean() ? structure(message, 0) : message);
      for (int i = 0; i < faults; i++) {
        bytes = wire(bytes);
      }
      return bytes;
    }
    byte[] bytes = partial(message);
    for (int i = 0; i < faults; i++) {
      bytes = raw(bytes);
    }
    return bytes;
  }

  private static byte[] partial(Message message) {
    return message.toByteString().toByteArray();
  }

  /** Changes one field, here or further inside. */
  private Message structure(Message message, int depth) {
    List<FieldDescriptor> fields = message.getDescriptorForType().getFields();
    if (fields.isEmpty()) {
      return message;
    }
    Message.Builder builder = message.toBuilder();
    List<FieldDescriptor> present = new ArrayList<>(message.getAllFields().keySet());
    boolean known = !present.isEmpty() && random.nextInt(5) > 0;
    FieldDescriptor field =
        known
            ? present.get(random.nextInt(present.size()))
            : fields.get(random.nextInt(fields.size()));
    boolean isMessage = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    if (field.isRepeated()) {
      repeated(builder, field, isMessage, depth);
    } else if (isMessage && message.hasField(field) && random.nextInt(6) > 0) {
      builder.setField(field, structure((Message) message.getField(field), depth + 1));
    } else if (field.getJavaType() == FieldDescriptor.JavaType.BYTE_STRING
        && message.hasField(field)
        && random.nextBoolean()) {
      // There may be another message in it.
      byte[] changed = raw(((ByteString) message.getField(field)).toByteArray());
      builder.setField(field, ByteString.copyFrom(changed));
    } else if (random.nextInt(5) == 0) {
      builder.clearField(field);
    } else {
      builder.setField(field, value(field, depth + 1));
    }
    return builder.buildPartial();
  }

  private void repeated(
      Message.Builder builder, FieldDescriptor field, boolean isMessage, int depth) {
    int count = builder.getRepeatedFieldCount(field);
    if (count == 0 || random.nextInt(6) == 0) {
      builder.addRepeatedField(field, value(field, depth + 1));
      return;
    }
    int index = random.nextInt(count);
    Object element = builder.getRepeatedField(field, index);
    switch (random.nextInt(isMessage ? 8 : 4)) {
      case 0 -> builder.clearField(field);
      case 1 -> builder.addRepeatedField(field, element);
      case 2 -> {
        for (int i = random.nextInt(200); i > 0; i--) {
          builder.addRepeatedField(field, element);
        }
      }
      case 3 -> builder.setRepeatedField(field, index, value(field, depth + 1));
      default -> builder.setRepeatedField(field, index, structure((Message) element, depth + 1));
    }
  }

  private Object value(FieldDescriptor field, int depth) {
    return switch (field.getJavaType()) {
      case INT -> (int) number();
      case LONG -> number();
      case FLOAT -> (float) number();
      case DOUBLE -> (double) number();
      case BOOLEAN -> random.nextBoolean();
      case STRING -> text();
      case BYTE_STRING -> ByteString.copyFrom(bytes());
      case ENUM -> {
        List<EnumValueDescriptor> values = field.getEnumType().getValues();
        yield values.get(random.nextInt(values.size()));
      }
      case MESSAGE -> filled(DynamicMessage.newBuilder(field.getMessageType()), depth);
    };
  }

  /** Returns a message of which most fields are set. */
  private Message filled(Message.Builder builder, int depth) {
    for (FieldDescriptor field : builder.getDescriptorForType().getFields()) {
      boolean deep = depth > DEPTH_MAX;
      if (deep && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
          || random.nextInt(field.isRequired() ? 20 : 2) == 0) {
        continue;
      }
      if (field.isRepeated()) {
        builder.addRepeatedField(field, value(field, depth + 1));
      } else {
        builder.setField(field, value(field, depth + 1));
      }
    }
    return builder.buildPartial();
  }

  private long number() {
    return random.nextInt(4) == 0 ? random.nextLong() : NUMBERS[random.nextInt(NUMBERS.length)];
  }

  private String text() {
    return random.nextInt(10) == 0
        ? "x".repeat(1 << random.nextInt(17))
        : TEXTS[random.nextInt(TEXTS.length)];
  }

  private byte[] bytes() {
    int length =
        switch (random.nextInt(8)) {
          case 0 -> 0;
          case 1 -> Short.MAX_VALUE + random.nextInt(3) - 1;
          case 2 -> 255 + random.nextInt(3);
          case 3 -> 1 << random.nextInt(18);
          default -> 1 + random.nextInt(12);
        };
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Gives a field another type on the wire, another number, or a length that is not its own. */
  private byte[] wire(byte[] bytes) {
    UnknownFieldSet.Builder fields = UnknownFieldSet.newBuilder();
    try {
      fields.mergeFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      return raw(bytes);
    }
    Map<Integer, UnknownFieldSet.Field> all = fields.build().asMap();
    int number =
        all.isEmpty() || random.nextInt(4) == 0
            ? 1 + random.nextInt(20)
            : new ArrayList<>(all.keySet()).get(random.nextInt(all.size()));
    UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
    switch (random.nextInt(5)) {
      case 0 -> field.addVarint(number());
      case 1 -> field.addFixed32((int) number());
      case 2 -> field.addFixed64(number());
      case 3 -> field.addLengthDelimited(ByteString.copyFrom(bytes()));
      default -> field.addGroup(UnknownFieldSet.newBuilder().mergeVarintField(1, 1).build());
    }
    if (random.nextBoolean()) {
      fields.mergeField(number, field.build());
    } else {
      fields.addField(number, field.build());
    }
    return fields.build().toByteArray();
  }

  /** Loses, adds or changes bytes. */
  byte[] raw(byte[] bytes) {
    int at = random.nextInt(bytes.length + 1);
    switch (random.nextInt(5)) {
      case 0 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 1 -> {
        byte[] more = bytes();
        byte[] all = Arrays.copyOf(bytes, bytes.length + more.length);
        System.arraycopy(more, 0, all, at, more.length);
        System.arraycopy(bytes, at, all, at + more.length, bytes.length - at);
        return all;
      }
      case 2 -> {
        return bytes();
      }
      default -> {
        byte[] changed = bytes.clone();
        for (int i = 1 + random.nextInt(4); i > 0 && changed.length > 0; i--) {
          changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        }
        return changed;
      }
    }
  }
}
