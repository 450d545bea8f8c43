package dev.cairn.shell.command;

import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.ShellException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.quotas.QuotaScope;
import org.apache.hadoop.hbase.quotas.QuotaSettings;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.SpaceViolationPolicy;
import org.apache.hadoop.hbase.quotas.ThrottleType;

/** Creates quotas from the options of {@code set_quota}. */
final class QuotaSetting {
  static final List<String> OPTIONS =
      List.of(
          "TYPE",
          "THROTTLE_TYPE",
          "USER",
          "TABLE",
          "NAMESPACE",
          "REGIONSERVER",
          "LIMIT",
          "POLICY",
          "SCOPE",
          "GLOBAL_BYPASS");

  private static final Pattern LIMIT =
      Pattern.compile("(\\d+)(req|cu|[bkmgtp])/(sec|min|hour|day)", Pattern.CASE_INSENSITIVE);
  private static final Pattern SIZE =
      Pattern.compile("(\\d+)([bkmgtp]?)", Pattern.CASE_INSENSITIVE);
  private static final String UNITS = "bkmgtp";
  private static final String NONE = "NONE";

  /**
   * The subject of a quota.
   *
   * @param user the user, else empty, and likewise the others
   */
  private record Owner(String user, String table, String namespace, String server) {}

  private QuotaSetting() {}

  /**
   * Returns the quotas that options describe.
   *
   * @throws ShellException if they describe none
   */
  static List<QuotaSettings> of(Options options) {
    Owner owner =
        new Owner(
            options.letters("USER").orElse(""),
            options.letters("TABLE").orElse(""),
            options.letters("NAMESPACE").orElse(""),
            options.letters("REGIONSERVER").orElse(""));
    Optional<Boolean> bypass = options.bool("GLOBAL_BYPASS");
    if (bypass.isPresent()) {
      options.requireNoMore("set_quota");
      if (owner.user().isEmpty()) {
        throw new ShellException("GLOBAL_BYPASS needs a USER");
      }
      return List.of(QuotaSettingsFactory.bypassGlobals(owner.user(), bypass.get()));
    }
    String type =
        options.letters("TYPE").orElseThrow(() -> new ShellException("Expected TYPE argument"));
    return switch (type.toUpperCase(Locale.ROOT)) {
      case "THROTTLE" -> List.of(throttle(owner, options));
      case "SPACE" -> List.of(space(owner, options));
      default -> throw new ShellException("TYPE must be THROTTLE or SPACE, not " + type);
    };
  }

  private static QuotaSettings throttle(Owner owner, Options options) {
    String kind = options.letters("THROTTLE_TYPE").orElse("REQUEST").toUpperCase(Locale.ROOT);
    Optional<QuotaScope> scope =
        options.letters("SCOPE").map(name -> named(QuotaScope.class, "SCOPE", name));
    String limit =
        options.letters("LIMIT").orElseThrow(() -> new ShellException("Expected LIMIT argument"));
    options.requireNoMore("set_quota");
    if (limit.equalsIgnoreCase(NONE)) {
      return unthrottle(owner);
    }
    Matcher matcher = LIMIT.matcher(limit.trim());
    if (!matcher.matches()) {
      throw new ShellException(
          "Invalid throttle limit syntax: "
              + limit
              + "; write '10req/sec', '5M/min' or '3cu/hour', with sec, min, hour or day");
    }
    String unit = matcher.group(2).toLowerCase(Locale.ROOT);
    ThrottleType type =
        named(
            ThrottleType.class,
            "THROTTLE_TYPE",
            kind
                + switch (unit) {
                  case "req" -> "_NUMBER";
                  case "cu" -> "_CAPACITY_UNIT";
                  default -> "_SIZE";
                });
    long amount = Long.parseLong(matcher.group(1));
    long value = unit.length() > 1 ? amount : bytes(amount, unit);
    TimeUnit time =
        switch (matcher.group(3).toLowerCase(Locale.ROOT)) {
          case "sec" -> TimeUnit.SECONDS;
          case "min" -> TimeUnit.MINUTES;
          case "hour" -> TimeUnit.HOURS;
          default -> TimeUnit.DAYS;
        };
    return throttle(owner, type, value, time, scope.orElse(QuotaScope.MACHINE));
  }

  private static QuotaSettings throttle(
      Owner owner, ThrottleType type, long limit, TimeUnit time, QuotaScope scope) {
    if (!owner.user().isEmpty() && !owner.table().isEmpty()) {
      return QuotaSettingsFactory.throttleUser(
          owner.user(), table(owner), type, limit, time, scope);
    } else if (!owner.user().isEmpty() && !owner.namespace().isEmpty()) {
      return QuotaSettingsFactory.throttleUser(
          owner.user(), owner.namespace(), type, limit, time, scope);
    } else if (!owner.user().isEmpty()) {
      return QuotaSettingsFactory.throttleUser(owner.user(), type, limit, time, scope);
    } else if (!owner.table().isEmpty()) {
      return QuotaSettingsFactory.throttleTable(table(owner), type, limit, time, scope);
    } else if (!owner.namespace().isEmpty()) {
      return QuotaSettingsFactory.throttleNamespace(owner.namespace(), type, limit, time, scope);
    } else if (!owner.server().isEmpty()) {
      return QuotaSettingsFactory.throttleRegionServer(owner.server(), type, limit, time);
    }
    throw noOwner();
  }

  private static QuotaSettings unthrottle(Owner owner) {
    if (!owner.user().isEmpty() && !owner.table().isEmpty()) {
      return QuotaSettingsFactory.unthrottleUser(owner.user(), table(owner));
    } else if (!owner.user().isEmpty() && !owner.namespace().isEmpty()) {
      return QuotaSettingsFactory.unthrottleUser(owner.user(), owner.namespace());
    } else if (!owner.user().isEmpty()) {
      return QuotaSettingsFactory.unthrottleUser(owner.user());
    } else if (!owner.table().isEmpty()) {
      return QuotaSettingsFactory.unthrottleTable(table(owner));
    } else if (!owner.namespace().isEmpty()) {
      return QuotaSettingsFactory.unthrottleNamespace(owner.namespace());
    } else if (!owner.server().isEmpty()) {
      return QuotaSettingsFactory.unthrottleRegionServer(owner.server());
    }
    throw noOwner();
  }

  private static TableName table(Owner owner) {
    return Names.table(owner.table());
  }

  private static ShellException noOwner() {
    return new ShellException(
        "set_quota needs one of USER, TABLE, NAMESPACE and REGIONSERVER to limit");
  }

  private static QuotaSettings space(Owner owner, Options options) {
    String limit =
        options.letters("LIMIT").orElseThrow(() -> new ShellException("Expected LIMIT argument"));
    Optional<SpaceViolationPolicy> policy =
        options.letters("POLICY").map(name -> named(SpaceViolationPolicy.class, "POLICY", name));
    options.requireNoMore("set_quota");
    boolean ofTable = !owner.table().isEmpty();
    if (!ofTable && owner.namespace().isEmpty()) {
      throw new ShellException("A quota of SPACE needs a TABLE or a NAMESPACE");
    }
    if (limit.equalsIgnoreCase(NONE)) {
      return ofTable
          ? QuotaSettingsFactory.removeTableSpaceLimit(table(owner))
          : QuotaSettingsFactory.removeNamespaceSpaceLimit(owner.namespace());
    }
    Matcher matcher = SIZE.matcher(limit.trim());
    if (!matcher.matches()) {
      throw new ShellException("Invalid space limit " + limit + "; write '500M' or '1G'");
    }
    long size = bytes(Long.parseLong(matcher.group(1)), matcher.group(2).toLowerCase(Locale.ROOT));
    SpaceViolationPolicy chosen =
        policy.orElseThrow(() -> new ShellException("Expected POLICY argument"));
    return ofTable
        ? QuotaSettingsFactory.limitTableSpace(table(owner), size, chosen)
        : QuotaSettingsFactory.limitNamespaceSpace(owner.namespace(), size, chosen);
  }

  private static long bytes(long amount, String unit) {
    int power = unit.isEmpty() ? 0 : UNITS.indexOf(unit);
    try {
      return Math.multiplyExact(amount, 1L << (10 * power));
    } catch (ArithmeticException e) {
      throw new ShellException("The limit " + amount + unit + " is beyond 64 bits", e);
    }
  }

  private static <E extends Enum<E>> E named(Class<E> type, String option, String name) {
    try {
      return Enum.valueOf(type, name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new ShellException(
          option + " must be one of " + List.of(type.getEnumConstants()) + ", not " + name, e);
    }
  }
}
