package dev.cairn.server.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoprocessorClassTest {
  private static TableSchema table(String... attributes) {
    TableSchema schema = TableSchema.of(TableName.parse("t"), FamilySchema.of("f", Map.of()));
    for (int i = 0; i < attributes.length; i += 2) {
      schema = schema.with(attributes[i], attributes[i + 1]);
    }
    return schema;
  }

  private static CoprocessorClass of(String value) {
    return CoprocessorClass.ofTable(table("coprocessor$1", value)).get(0);
  }

  @Test
  void aTablesAttributeHasJarClassPriorityAndArguments() {
    assertThat(of("hdfs:///x.jar|a.B|1001|k=v, l = w=1"))
        .isEqualTo(
            new CoprocessorClass(
                "a.B",
                Optional.of("hdfs:///x.jar"),
                1001,
                Map.of("k", "v", "l", " w=1"),
                false,
                "coprocessor$1"));
    assertThat(of("|a.B|1001|").jar()).isEmpty();
    assertThat(of(" | a.B | 7 |"))
        .isEqualTo(
            new CoprocessorClass("a.B", Optional.empty(), 7, Map.of(), false, "coprocessor$1"));
    assertThat(of("|a.B||").priority()).isEqualTo(1_073_741_823);
  }

  @Test
  void attributesAreOrderedByTheirNames() {
    TableSchema schema =
        table(
            "coprocessor$2",
            "|c.C|",
            "Coprocessor$3",
            "|d.D|",
            "coprocessor$10",
            "|b.B|",
            "coprocessor$x",
            "|e.E|");
    assertThat(CoprocessorClass.ofTable(schema))
        .extracting(CoprocessorClass::className)
        .containsExactly("d.D", "b.B", "c.C");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a.B",
        "",
        "x.jar||1|",
        "|a.B|first|",
        "|a.B|1|k",
        "|a.B|1|=v",
        "|a.B",
        "|a.B|-1|",
        "|a.B|+5|",
        "|a.B|1|k=",
        "|a.B|1|k=v\nl=w",
        "| |1|",
        "|a.B|1|k=v,,l=w",
        "|a.B|99999999999|"
      })
  void anAttributeOfAnotherFormIsRefusedByName(String value) {
    assertThatThrownBy(() -> of(value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("coprocessor$1")
        .hasMessageContaining("<" + value + ">");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "|a.B||",
        "x.jar|a.B|7",
        " x.jar | a.B | 7 |",
        "|a.B|\t|k=v",
        "|a.B|007|k=v,l=w,",
        "|a.B|1|k=v=w, l = w ",
        "|a.B|1|k=a|b",
        "|a.B|1|",
        "\nx.jar|a\nB|1|k=v"
      })
  void anAttributeIsReadAsHBaseReadsIt(String value) {
    for (String name : List.of("coprocessor$1", " COPROCESSOR$2", "coprocessor$3\n")) {
      var theirs =
          TableDescriptorBuilder.newBuilder(org.apache.hadoop.hbase.TableName.valueOf("t"))
              .setValue(name, value)
              .build()
              .getCoprocessorDescriptors()
              .iterator()
              .next();
      CoprocessorClass ours = CoprocessorClass.ofTable(table(name, value)).get(0);
      assertThat(ours.className()).isEqualTo(theirs.getClassName());
      assertThat(ours.jar()).isEqualTo(theirs.getJarPath());
      assertThat(ours.priority()).isEqualTo(theirs.getPriority());
      // Its settings drop spaces around keys when they are set.
      assertThat(ours.arguments())
          .isEqualTo(
              theirs.getProperties().entrySet().stream()
                  .collect(Collectors.toMap(one -> one.getKey().trim(), Map.Entry::getValue)));
    }
  }

  @Test
  void prefixesOfATableHoldForItsClassesWithoutOwnOnes() {
    String key = "hbase.coprocessor.classloader.included.classes";
    assertThat(CoprocessorClass.ofTable(table("coprocessor$1", "|a.B||", key, "x;y")).get(0))
        .extracting(CoprocessorClass::arguments)
        .isEqualTo(Map.of(key, "x;y"));
    assertThat(
            CoprocessorClass.ofTable(table("coprocessor$1", "|a.B||" + key + "=z", key, "x"))
                .get(0))
        .extracting(CoprocessorClass::arguments)
        .isEqualTo(Map.of(key, "z"));
  }

  @Test
  void aSiteListsClassesWhichMayHavePrioritiesAndJars() {
    assertThat(CoprocessorClass.ofSite("key", " a.A, ,b.B|9|file:/x.jar,c.C,"))
        .isEqualTo(
            List.of(
                new CoprocessorClass("a.A", Optional.empty(), 536_870_911, Map.of(), true, "key"),
                new CoprocessorClass("b.B", Optional.of("file:/x.jar"), 9, Map.of(), true, "key"),
                new CoprocessorClass("c.C", Optional.empty(), 536_870_912, Map.of(), true, "key")));
    assertThat(CoprocessorClass.ofSite("key", "")).isEmpty();
    assertThatThrownBy(() -> CoprocessorClass.ofSite("key", "a.A|x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a.A");
  }
}
