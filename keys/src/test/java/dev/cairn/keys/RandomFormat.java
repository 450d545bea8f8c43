package dev.cairn.keys;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A format drawn at random, with the models of its values. */
record RandomFormat(KeyFormat format, List<TypeModel> models) {
  private static final String[] FUNCTIONS = {
    "murmur3", "murmur3_x86_128", "murmur3_x64_128", "md5", "xxhash32", "xxhash64"
  };

  /** Draws a format whose keys sort as their values: without salts and hashes. */
  static RandomFormat ordered(Random random) {
    return draw(random, TypeModel.ORDERED, false);
  }

  /** Draws any format. */
  static RandomFormat any(Random random) {
    List<TypeModel> all = new ArrayList<>(TypeModel.ORDERED);
    all.addAll(TypeModel.UNORDERED);
    return draw(random, all, true);
  }

  private static RandomFormat draw(Random random, List<TypeModel> types, boolean computed) {
    List<String> parts = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<TypeModel> models = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    while (models.size() < count) {
      if (random.nextInt(6) == 0) {
        parts.add("literal(0x00ff)");
      }
      if (random.nextInt(8) == 0) {
        int first = 1 + random.nextInt(15);
        addBits(first, random, parts, models);
        addBits(16 - first, random, parts, models);
        continue;
      }
      TypeModel model = types.get(random.nextInt(types.size()));
      boolean last = models.size() + 1 >= count;
      if (model.mustEnd() && !last) {
        continue;
      }
      String name = "p" + models.size();
      boolean descending = !model.mustEnd() && random.nextBoolean();
      parts.add(name + " " + model.word() + (descending ? " desc" : ""));
      names.add(name);
      models.add(descending ? model.reversed() : model);
    }
    if (computed && random.nextBoolean()) {
      String function = FUNCTIONS[random.nextInt(FUNCTIONS.length)];
      parts.add(0, "hash(" + function + ", " + (1 + random.nextInt(3)) + ")" + of(random, names));
    }
    if (computed && random.nextBoolean()) {
      int buckets = random.nextInt(4) == 0 ? 300 : 1 + random.nextInt(20);
      boolean phoenix = random.nextInt(4) == 0;
      parts.add(
          0,
          phoenix
              ? "phoenix_salt(" + Math.min(256, buckets) + ")"
              : "salt(" + buckets + ", " + FUNCTIONS[random.nextInt(6)] + ")" + of(random, names));
    }
    return new RandomFormat(KeyFormat.parse(String.join(", ", parts)), models);
  }

  private static void addBits(
      int width, Random random, List<String> parts, List<TypeModel> models) {
    TypeModel model = TypeModel.bits(width);
    boolean descending = random.nextBoolean();
    parts.add("p" + models.size() + " " + model.word() + (descending ? " desc" : ""));
    models.add(descending ? model.reversed() : model);
  }

  private static String of(Random random, List<String> names) {
    if (names.isEmpty() || random.nextBoolean()) {
      return "";
    }
    List<String> named = names.subList(0, 1 + random.nextInt(names.size()));
    return " of (" + String.join(", ", named) + ")";
  }

  /**
   * Draws one value for each named part; often some of the earlier values, so that keys collide.
   */
  Object[] values(Random random, List<Object[]> earlier) {
    Object[] values = new Object[models.size()];
    Object[] similar = earlier.isEmpty() ? null : earlier.get(random.nextInt(earlier.size()));
    for (int i = 0; i < values.length; i++) {
      do {
        values[i] =
            similar != null && random.nextInt(3) > 0
                ? similar[i]
                : models.get(i).draw().apply(random);
      } while (i + 1 == values.length && isRefusedAtTheEnd(models.get(i), values[i]));
    }
    return values;
  }

  private boolean isRefusedAtTheEnd(TypeModel model, Object value) {
    return model.word().startsWith("phoenix_var") && "".equals(value)
        || model.word().equals("phoenix_decimal") && value == null;
  }

  /** Compares the first values in their declared order. */
  int compare(Object[] left, Object[] right, int count) {
    for (int i = 0; i < count; i++) {
      int order = models.get(i).order().compare(left[i], right[i]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  static String show(Object[] values) {
    List<String> shown = new ArrayList<>();
    for (Object value : values) {
      shown.add(TypeModel.show(value));
    }
    return shown.toString();
  }
}
