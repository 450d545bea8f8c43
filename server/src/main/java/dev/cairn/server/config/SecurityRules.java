package dev.cairn.server.config;

import dev.cairn.server.config.SiteConfig.CoreSite;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Refuses sites that request protection which this server does not provide: authentication,
 * authorization or encryption. A server that ignored such a key would be open against the intent of
 * its site.
 *
 * <p>An empty value requests nothing, as in HBase. Keys that only configure a protection, such as
 * keytabs, principals and key stores, have no rule: HBase, too, ignores them unless another key
 * requests the protection.
 */
public final class SecurityRules {
  /** {@code cairn.security.ignore.unsupported}. */
  public static final ConfigKey<Boolean> IGNORE_UNSUPPORTED =
      ConfigKey.flag(
          "cairn.security.ignore.unsupported",
          false,
          "Whether a site that asks for authentication, authorization or encryption may start without them. If true, each start warns; if false, the start is refused.");

  private static final String ENABLED = "hbase.coprocessor.enabled";
  private static final String USER_ENABLED = "hbase.coprocessor.user.enabled";

  /** The packages of coprocessors that control access. */
  private static final List<String> GUARDS =
      List.of("org.apache.hadoop.hbase.security.", "org.apache.ranger.");

  /** Of these packages, but it checks tables, not users. */
  private static final String PATHS_OBSERVER =
      "org.apache.hadoop.hbase.security.access.CoprocessorWhitelistMasterObserver";

  private static final String NO_LOGIN = "does not authenticate its clients";
  private static final String NO_RIGHTS = "does not check what a user may do";
  private static final String PLAIN_RPC = "does not encrypt or sign what it sends and receives";
  private static final String OPEN_WEB = "serves its web page to everybody, without encryption";
  private static final String OPEN_ZOOKEEPER =
      "does not authenticate or encrypt connections to ZooKeeper";

  private static final List<SecurityRule> RULES =
      List.of(
          SecurityRule.unless("simple", "hbase.security.authentication", NO_LOGIN),
          SecurityRule.unless("simple", "hadoop.security.authentication", NO_LOGIN),
          SecurityRule.flag("hbase.security.authorization", NO_RIGHTS),
          SecurityRule.flag("hadoop.security.authorization", NO_RIGHTS),
          SecurityRule.flag("hbase.security.exec.permission.checks", NO_RIGHTS),
          SecurityRule.flag("hbase.security.visibility.mutations.checkauths", NO_RIGHTS),
          SecurityRule.flag("hbase.acl.sync.to.hdfs.enable", NO_RIGHTS),
          guards("hbase.coprocessor.master.classes", ENABLED),
          guards("hbase.coprocessor.region.classes", ENABLED),
          guards("hbase.coprocessor.user.region.classes", ENABLED, USER_ENABLED),
          guards("hbase.coprocessor.regionserver.classes", ENABLED),
          guards("hbase.coprocessor.wal.classes", ENABLED),
          SecurityRule.unless("authentication", "hbase.rpc.protection", PLAIN_RPC),
          SecurityRule.flag("hbase.rpc.crypto.encryption.aes.enabled", PLAIN_RPC),
          SecurityRule.flag("hbase.server.netty.tls.enabled", PLAIN_RPC),
          SecurityRule.flag("hbase.client.netty.tls.enabled", PLAIN_RPC),
          SecurityRule.flag("hbase.ssl.enabled", OPEN_WEB),
          SecurityRule.unless("simple", "hbase.security.authentication.ui", OPEN_WEB),
          SecurityRule.unless(
              "org.apache.hadoop.hbase.http.lib.StaticUserWebFilter",
              "hbase.http.filter.initializers",
              OPEN_WEB),
          SecurityRule.flag(
              "hbase.regionserver.wal.encryption", "does not encrypt its write-ahead log"),
          SecurityRule.set("hbase.zookeeper.property.authProvider.*", OPEN_ZOOKEEPER),
          SecurityRule.set("hbase.zookeeper.property.requireClientAuthScheme", OPEN_ZOOKEEPER),
          SecurityRule.flag(
              "hbase.zookeeper.property.sessionRequireClientSASLAuth", OPEN_ZOOKEEPER),
          SecurityRule.flag("hbase.zookeeper.property.enforce.auth.enabled", OPEN_ZOOKEEPER),
          SecurityRule.set("hbase.zookeeper.property.secureClientPort", OPEN_ZOOKEEPER));

  /**
   * A key of a site that requests protection.
   *
   * @param key the key in the site
   * @param value its value
   * @param file the file with the key, if it is not {@code hbase-site.xml}
   * @param reason as in {@link SecurityRule}
   */
  public record Finding(String key, String value, Optional<Path> file, String reason) {
    @Override
    public String toString() {
      String place = file.map(path -> " in " + path).orElse("");
      return key + " is <" + value + ">" + place + ", but Cairn " + reason;
    }
  }

  private SecurityRules() {}

  /** Returns all rules. */
  public static List<SecurityRule> all() {
    return RULES;
  }

  /** Returns the rule that applies to the key {@code name}, if any. */
  public static Optional<SecurityRule> of(String name) {
    return RULES.stream().filter(rule -> rule.covers(name)).findFirst();
  }

  /** Tells whether the coprocessor class controls access. {@link #check} handles such classes. */
  public static boolean guardsAccess(String coprocessor) {
    return GUARDS.stream().anyMatch(coprocessor::startsWith)
        && !coprocessor.split("\\|", 2)[0].strip().equals(PATHS_OBSERVER);
  }

  /**
   * Returns the keys of {@code config} that request missing protection, ordered by key; then those
   * of its {@code core-site.xml}. No file takes back what the other one requests.
   */
  public static List<Finding> findings(SiteConfig config) {
    Map<String, String> site = config.texts();
    List<Finding> findings = new ArrayList<>(findings(site, Optional.empty(), site));
    CoreSite core = config.core();
    findings.addAll(findings(new TreeMap<>(core.texts()), Optional.of(core.file()), site));
    return findings;
  }

  private static List<Finding> findings(
      Map<String, String> texts, Optional<Path> file, Map<String, String> site) {
    List<Finding> findings = new ArrayList<>();
    texts.forEach(
        (key, text) -> {
          String value = text.strip();
          of(key)
              .filter(rule -> !value.isEmpty() && rule.asks().test(value) && holds(rule, site))
              .ifPresent(rule -> findings.add(new Finding(key, value, file, rule.reason())));
        });
    return findings;
  }

  /**
   * Checks that {@code config} requests no missing protection.
   *
   * @return the ignored requests, if {@link #IGNORE_UNSUPPORTED} is true; each start logs them
   * @throws ConfigException if it requests missing protection and {@link #IGNORE_UNSUPPORTED} is
   *     false
   */
  public static List<Finding> check(SiteConfig config) {
    List<Finding> findings = findings(config);
    if (!findings.isEmpty() && !config.get(IGNORE_UNSUPPORTED)) {
      throw new ConfigException(
          findings.stream().map(Finding::toString).collect(Collectors.joining("; "))
              + ". Cairn does not start, because it would serve this site without protection."
              + " To start without the protection, set "
              + IGNORE_UNSUPPORTED.name()
              + " to true");
    }
    return findings;
  }

  private static boolean holds(SecurityRule rule, Map<String, String> texts) {
    return rule.switches().stream()
        .noneMatch(name -> texts.getOrDefault(name, "true").strip().equalsIgnoreCase("false"));
  }

  private static SecurityRule guards(String key, String... switches) {
    return new SecurityRule(
        key,
        "classes of " + String.join("* and ", GUARDS) + "*",
        NO_RIGHTS,
        SecurityRules::namesGuard,
        List.of(switches));
  }

  private static boolean namesGuard(String classes) {
    return Arrays.stream(classes.split(",")).anyMatch(part -> guardsAccess(part.strip()));
  }
}
