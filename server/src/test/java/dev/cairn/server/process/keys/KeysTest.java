package dev.cairn.server.process.keys;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.cairn.server.config.ConfigKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every key is defined once, and known where settings are checked and documented. */
class KeysTest {
  private final List<ConfigKey<?>> keys = ProcessSettings.keys();

  @Test
  void eachKeyIsDefinedOnceAndHasNoOtherKeysOldName() {
    assertThat(keys.stream().map(ConfigKey::name)).doesNotHaveDuplicates();
    assertThat(
            keys.stream()
                .flatMap(key -> Stream.concat(Stream.of(key.name()), key.oldNames().stream())))
        .doesNotHaveDuplicates();
  }

  @Test
  void eachKeyThatAClassDefinesIsAmongThem() throws ReflectiveOperationException {
    Map<String, ConfigKey<?>> defined = new HashMap<>();
    var classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.cairn.server");
    for (var owner : classes) {
      for (JavaField field : owner.getFields()) {
        if (field.getRawType().isEquivalentTo(ConfigKey.class)
            && field.getModifiers().contains(JavaModifier.STATIC)) {
          var reflected = field.reflect();
          reflected.setAccessible(true);
          defined.put(field.getFullName(), (ConfigKey<?>) reflected.get(null));
        }
      }
    }
    assertThat(defined).isNotEmpty();
    assertThat(keys).containsExactlyInAnyOrderElementsOf(defined.values());
  }

  @Test
  void everyDefaultIsPossible() {
    for (ConfigKey<?> key : keys) {
      assertThat(key.value(key.defaultText())).as(key.name()).isNotNull();
    }
  }
}
