package dev.cairn.server.process.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.config.SecurityRules;
import dev.cairn.server.config.SettingRule;
import dev.cairn.server.config.SettingTable;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.config.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Checks that every key of HBase has exactly one verdict. */
class VerdictsTest {
  private final Set<String> inForce =
      ProcessSettings.keys().stream()
          .flatMap(key -> Stream.concat(Stream.of(key.name()), key.oldNames().stream()))
          .collect(Collectors.toSet());
  private final SettingTable table = SettingTable.ofSite();

  @Test
  void everyKeyOfHBasesDefaultsHasAVerdict() throws Exception {
    assertThat(defaults()).hasSizeGreaterThan(200);
    assertThat(defaults().keySet()).allMatch(this::hasVerdict);
  }

  @Test
  void everyKeyOfHBasesConstantsHasAVerdict() throws Exception {
    List<String> keys = new ArrayList<>();
    for (var field : HConstants.class.getFields()) {
      if (field.getType() == String.class) {
        String text = (String) field.get(null);
        if (text.matches("hbase\\.[a-zA-Z0-9._-]*[a-zA-Z0-9]")) {
          keys.add(text);
        }
      }
    }
    assertThat(keys).hasSizeGreaterThan(100);
    assertThat(keys).allMatch(this::hasVerdict);
  }

  /** Fails if a key in force is still in the table; remove it there. */
  @Test
  void noKeyHasTwoVerdicts() {
    assertThat(table.rules())
        .extracting(SettingRule::name)
        .noneMatch(inForce::contains)
        .noneMatch(name -> SecurityRules.of(name).isPresent());
    assertThat(table.rules()).extracting(SettingRule::verdict).doesNotContain(Verdict.IN_FORCE);
  }

  @Test
  void aSiteWithAllOfHBasesDefaultsStarts() throws Exception {
    Map<String, String> defaults = defaults();
    defaults.keySet().removeIf(key -> inForce.contains(key));
    defaults.values().removeIf(value -> value.contains("${"));
    assertThat(ProcessSettings.review(new SiteConfig(defaults))).isEmpty();
  }

  @Test
  void onlyWarnedAndRefusedSettingsHaveHarmlessValues() {
    assertThat(table.rules())
        .filteredOn(rule -> rule.verdict() != Verdict.WARNED && rule.verdict() != Verdict.REFUSED)
        .allMatch(rule -> rule.harmless().values().isEmpty());
  }

  private boolean hasVerdict(String key) {
    return inForce.contains(key) || SecurityRules.of(key).isPresent() || table.names(key);
  }

  /** Reads the defaults from Apache's own artifact. */
  private static Map<String, String> defaults() throws Exception {
    Map<String, String> defaults = new HashMap<>();
    try (InputStream in = HConstants.class.getResourceAsStream("/hbase-default.xml")) {
      NodeList properties =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(in)
              .getElementsByTagName("property");
      for (int i = 0; i < properties.getLength(); i++) {
        Element property = (Element) properties.item(i);
        defaults.put(text(property, "name"), text(property, "value"));
      }
    }
    return defaults;
  }

  private static String text(Element property, String part) throws IOException {
    NodeList parts = property.getElementsByTagName(part);
    return parts.getLength() == 0 ? "" : parts.item(0).getTextContent().strip();
  }
}
