package dev.cairn.studies;

import dev.cairn.studies.indexes.IndexPatterns;
import dev.cairn.studies.joins.Joins;
import dev.cairn.studies.list.UserLists;
import dev.cairn.studies.logs.LogData;
import dev.cairn.studies.names.HashOrNumber;
import dev.cairn.studies.nested.NestedEntities;
import dev.cairn.studies.order.CustomerOrder;
import dev.cairn.studies.series.TimeSeries;
import dev.cairn.studies.tall.TallWideMiddle;
import dev.cairn.studies.tsdb.OpenTsdb;
import dev.cairn.studies.web.WebTable;
import java.util.List;
import java.util.Optional;

/** All studies. */
public final class Studies {
  private static final List<Study<?, ?>> ALL =
      List.of(
          new TimeSeries(),
          new LogData(),
          new OpenTsdb(),
          new HashOrNumber(),
          new WebTable(),
          new CustomerOrder(),
          new TallWideMiddle(),
          new UserLists(),
          new NestedEntities(),
          new IndexPatterns(),
          new Joins());

  private Studies() {}

  /** Returns all studies, in the order of docs/DESIGN.md. */
  public static List<Study<?, ?>> all() {
    return ALL;
  }

  /** Returns the study of a name. */
  public static Optional<Study<?, ?>> find(String name) {
    return ALL.stream().filter(study -> study.name().equals(name)).findFirst();
  }
}
