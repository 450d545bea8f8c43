package dev.cairn.interop.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.cairn.server.catalog.GroupMessages;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.protobuf.generated.RSGroupAdminProtos;
import org.apache.hadoop.hbase.protobuf.generated.RSGroupProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.Descriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.junit.jupiter.api.Test;

/** The messages about groups have the fields of HBase's. */
class GroupMessagesTest {
  @Test
  void allMessagesHaveTheFieldsOfHBases() {
    Map<String, String> expected = new TreeMap<>();
    for (MethodDescriptor method :
        RSGroupAdminProtos.RSGroupAdminService.getDescriptor().getMethods()) {
      add(expected, method.getInputType());
      add(expected, method.getOutputType());
    }
    add(expected, RSGroupProtos.RSGroupInfo.getDescriptor());
    Map<String, String> own = new TreeMap<>();
    GroupMessages.descriptors().forEach(message -> add(own, message));
    assertThat(own).isEqualTo(expected);
  }

  private static void add(Map<String, String> messages, Descriptor message) {
    Map<Integer, String> fields = new TreeMap<>();
    for (FieldDescriptor field : message.getFields()) {
      String type =
          field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
              ? field.getMessageType().getFullName()
              : field.getType().name();
      fields.put(
          field.getNumber(),
          "%s %s %s"
              .formatted(label(field.isRequired(), field.isRepeated()), type, field.getName()));
    }
    messages.put(message.getFullName(), fields.toString());
  }

  private static void add(
      Map<String, String> messages, com.google.protobuf.Descriptors.Descriptor message) {
    Map<Integer, String> fields = new TreeMap<>();
    for (com.google.protobuf.Descriptors.FieldDescriptor field : message.getFields()) {
      String type =
          field.getJavaType() == com.google.protobuf.Descriptors.FieldDescriptor.JavaType.MESSAGE
              ? field.getMessageType().getFullName()
              : field.getType().name();
      fields.put(
          field.getNumber(),
          "%s %s %s"
              .formatted(label(field.isRequired(), field.isRepeated()), type, field.getName()));
    }
    messages.put(message.getFullName(), fields.toString());
  }

  private static String label(boolean required, boolean repeated) {
    return required ? "required" : repeated ? "repeated" : "optional";
  }
}
