package dev.cairn.studies.tall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.studies.FactWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.testing.CairnExtension;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows that outgrow {@code hbase.table.max.rowsize} are written, and read in parts only. */
class RowLimitTest {
  private static final long ITEMS = 5_000;
  private static final int LIMIT_BYTES = 50_000;

  @RegisterExtension
  static final CairnExtension CAIRN =
      new CairnExtension(
          CairnServer.builder().setting("hbase.table.max.rowsize", Integer.toString(LIMIT_BYTES)));

  private final TallWideMiddle study = new TallWideMiddle();
  private ItemDesign created;

  static Stream<ItemDesign> partReaders() {
    return Stream.of(new WideParts(), new Middle(), new Tall(DataBlockEncoding.NONE));
  }

  static Stream<ItemDesign> wholeReaders() {
    return Stream.of(new WideWhole(), new Versions());
  }

  private void store(ItemDesign design) throws IOException {
    created = design;
    for (NewTable table : design.tables(ITEMS)) {
      table.create(CAIRN.admin());
    }
    try (FactWriter<Item> writer = design.writer(CAIRN.connection())) {
      for (Item item : Item.first(ITEMS).toList()) {
        writer.write(item);
      }
    }
  }

  @AfterEach
  void drop() throws IOException {
    for (NewTable table : created.tables(ITEMS)) {
      table.drop(CAIRN.admin());
    }
  }

  private List<Item> expected(Ask asked) {
    return study.answer(Item.first(ITEMS), asked);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wholeReaders")
  void aWholeRowIsRefusedAndAnItemOfItIsRead(ItemDesign design) throws IOException {
    store(design);
    assertThatThrownBy(() -> design.all(CAIRN.connection(), Item.BUSIEST))
        .isInstanceOf(RowTooBigException.class)
        .hasMessageContaining("hbase.table.max.rowsize");
    Ask.One one = new Ask.One(Item.BUSIEST, Item.time(0));
    assertThat(design.one(CAIRN.connection(), one)).hasSize(1).isEqualTo(expected(one));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("partReaders")
  void partsHaveNoLimit(ItemDesign design) throws IOException {
    store(design);
    Ask.All all = new Ask.All(Item.BUSIEST);
    assertThat(design.all(CAIRN.connection(), Item.BUSIEST))
        .hasSizeGreaterThanOrEqualTo((int) Item.ofBusiest(ITEMS))
        .isEqualTo(expected(all));
    Ask.Page page = new Ask.Page(Item.BUSIEST, 900, 20);
    assertThat(design.page(CAIRN.connection(), page)).hasSize(20).isEqualTo(expected(page));
  }
}
