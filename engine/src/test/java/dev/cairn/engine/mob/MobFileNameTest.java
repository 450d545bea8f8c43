package dev.cairn.engine.mob;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MobFileNameTest {
  private static final String UNIQUE = "0123456789abcdef0123456789abcdef";

  @Test
  void namesAreThoseOfHBase() {
    assertThat(MobFileName.of("m".getBytes(UTF_8), 200, ZoneOffset.UTC, UNIQUE, "region"))
        .isEqualTo("6f8f57715090da2632453988d9a1501b" + "19700101" + UNIQUE + "_region");
  }

  @Test
  void theDayIsThatOfTheServer() {
    assertThat(day(1_000, ZoneId.of("UTC-1"))).isEqualTo("19691231");
    assertThat(day(1_795_286_445_171L, ZoneOffset.UTC)).isEqualTo("20261121");
  }

  @Test
  void noTimestampMakesTheNameLonger() {
    assertThat(day(Long.MAX_VALUE, ZoneOffset.UTC)).isEqualTo("99990102");
    assertThat(day(Long.MIN_VALUE, ZoneOffset.UTC)).isEqualTo("19700101");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", ".tmp", "a/b", "a\\b", "a,b", "a b", "\u00e4", "a\0b"})
  void whatLeadsElsewhereIsNoName(String name) {
    byte[] bytes = name.getBytes(UTF_8);
    assertThat(MobFileName.isPossible(bytes, 0, bytes.length)).isFalse();
  }

  private static String day(long millis, ZoneId zone) {
    return MobFileName.of(new byte[0], millis, zone, UNIQUE, "region").substring(32, 40);
  }
}
