package dev.cairn.engine.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.layout.StoreFileName.Half;
import dev.cairn.engine.layout.StoreFileName.Link;
import dev.cairn.engine.layout.StoreFileName.Plain;
import dev.cairn.engine.schema.TableName;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreFileNameTest {
  @Test
  void namesAreToldApart() {
    Link link = new Link(TableName.parse("t-1.x"), "abc123", "0f_SeqId_12_");
    Link spaced = new Link(TableName.parse("ns_1:t"), "abc", "def");
    assertThat(StoreFileName.parse("0123abc")).isEqualTo(new Plain("0123abc"));
    assertThat(StoreFileName.parse("0123abc_del")).isEqualTo(new Plain("0123abc_del"));
    assertThat(StoreFileName.parse("t-1.x=abc123-0f_SeqId_12_")).isEqualTo(link);
    assertThat(StoreFileName.parse("ns_1=t=abc-def")).isEqualTo(spaced);
    assertThat(StoreFileName.parse("0123abc.fed")).isEqualTo(new Half(new Plain("0123abc"), "fed"));
    assertThat(StoreFileName.parse("ns_1=t=abc-def.99")).isEqualTo(new Half(spaced, "99"));
    assertThat(StoreFileName.parse("t-1.x=abc123-0f_SeqId_12_.77")).isEqualTo(new Half(link, "77"));
  }

  @Test
  void whateverElseIsAFilesOwnName() {
    for (String name : List.of("", "x.y", "t=r-f", "a=b=c=d-e", "=a-b", "0f.", ".0f", "ABC.1")) {
      assertThat(StoreFileName.parse(name)).as(name).isEqualTo(new Plain(name));
    }
  }

  @Test
  void theTextIsTheNameThatWasParsed() {
    for (String name : List.of("0f", "0f.ab", "t=ab-0f", "n=t=ab-0f", "n=t=ab-0f.12")) {
      assertThat(StoreFileName.parse(name).text()).isEqualTo(name);
      assertThat(StoreFileName.parse(name).hfile()).isEqualTo("0f");
    }
  }
}
