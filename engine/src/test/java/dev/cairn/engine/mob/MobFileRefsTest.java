package dev.cairn.engine.mob;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.TableName;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The list of MOB files in a store file's info, as Apache HBase 2.6 writes and reads it. */
class MobFileRefsTest {
  @Test
  void tablesAndFilesAreParted() {
    String text = "a/f1,f2//ns:b/f3";
    MobFileRefs refs = MobFileRefs.parse(text.getBytes(US_ASCII));

    assertThat(refs.files())
        .containsOnly(
            Map.entry(TableName.parse("a"), new TreeSet<>(Set.of("f1", "f2"))),
            Map.entry(TableName.parse("ns:b"), new TreeSet<>(Set.of("f3"))));
    assertThat(refs.toBytes()).asString(US_ASCII).isEqualTo(text);
  }

  @Test
  void noFilesAreOneByte() {
    assertThat(MobFileRefs.NONE.toBytes()).containsExactly(0);
    assertThat(MobFileRefs.parse(new byte[] {0})).isEqualTo(MobFileRefs.NONE);
    assertThat(MobFileRefs.parse(new byte[0])).isEqualTo(MobFileRefs.NONE);
  }

  @Test
  void emptyNamesAreNoFiles() {
    assertThat(MobFileRefs.parse("a/f1,//".getBytes(US_ASCII)).toBytes())
        .asString(US_ASCII)
        .isEqualTo("a/f1");
  }

  @Test
  void impossibleTablesAreDamage() {
    assertThatThrownBy(() -> MobFileRefs.parse("x:y:z/f".getBytes(US_ASCII)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
