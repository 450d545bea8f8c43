package dev.cairn.interop.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FilterList.Operator;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;

/** Random filters that contain others, down to the ones of {@link FilterCases}. */
final class FilterTrees {
  private final List<Map.Entry<String, Supplier<Filter>>> leaves =
      List.copyOf(FilterCases.all().entrySet());
  private final Random random;

  FilterTrees(long seed) {
    this.random = new Random(seed);
  }

  /** A filter by a name to print; filters have state, so each request needs a new one. */
  record Tree(String name, Supplier<Filter> filter) {}

  /** Returns the next tree, at most so deep. */
  Tree next(int depth) {
    int kind = random.nextInt(6);
    if (depth == 0 || kind == 0) {
      Map.Entry<String, Supplier<Filter>> leaf = leaves.get(random.nextInt(leaves.size()));
      return new Tree("<" + leaf.getKey() + ">", leaf.getValue());
    }
    if (kind == 1) {
      Tree inner = next(depth - 1);
      return new Tree("SKIP " + inner.name(), () -> new SkipFilter(inner.filter().get()));
    }
    if (kind == 2) {
      Tree inner = next(depth - 1);
      return new Tree("WHILE " + inner.name(), () -> new WhileMatchFilter(inner.filter().get()));
    }
    List<Tree> members = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      members.add(next(depth - 1));
    }
    Operator operator = Operator.values()[random.nextInt(2)];
    return new Tree(
        operator + members.stream().map(Tree::name).toList().toString(),
        () ->
            new FilterList(
                operator,
                new ArrayList<>(members.stream().map(member -> member.filter().get()).toList())));
  }
}
