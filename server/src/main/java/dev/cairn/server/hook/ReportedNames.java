package dev.cairn.server.hook;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.TableSupport;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names of coprocessors that a region server reports to the master. They are those that HBase's
 * servers report: the classes of open regions and of logs, without their packages. The classes of
 * the server itself are not among them. Thread-safe.
 */
public final class ReportedNames {
  private static final String BUILT_IN =
      TableSupport.MULTI_ROW_MUTATION.substring(
          TableSupport.MULTI_ROW_MUTATION.lastIndexOf('.') + 1);

  private final Optional<LogHooks> logs;

  /** Whether the site names the built-in coprocessor for all regions. */
  private final boolean ofAllRegions;

  private final boolean ofUserRegions;
  private final boolean runsTableClasses;

  /**
   * Creates it.
   *
   * @param logs the coprocessors of the server's logs
   */
  public ReportedNames(SiteConfig config, Optional<LogHooks> logs) {
    this.logs = logs;
    this.ofAllRegions = hasBuiltIn(HookKeys.regionClasses(config, HookKeys.REGION.name()));
    this.ofUserRegions = hasBuiltIn(HookKeys.regionClasses(config, HookKeys.USER_REGION.name()));
    this.runsTableClasses = HookKeys.runsTableClasses(config);
  }

  /** Returns the sorted names. */
  public Set<String> of(Collection<HostedRegion> open) {
    Set<String> names = new TreeSet<>();
    logs.ifPresent(some -> names.addAll(some.names()));
    boolean hasBuiltIn = false;
    for (HostedRegion region : open) {
      region.coprocessors().forEach(one -> names.add(one.simpleName()));
      hasBuiltIn = hasBuiltIn || namesBuiltIn(region);
    }
    if (hasBuiltIn) {
      names.add(BUILT_IN);
    }
    return names;
  }

  /** Tells whether HBase would load the built-in coprocessor: the site or the table names it. */
  private boolean namesBuiltIn(HostedRegion region) {
    if (region.refusal().isPresent()) {
      return false;
    }
    boolean isSystem = region.info().table().namespace().equals(TableName.SYSTEM_NAMESPACE);
    return ofAllRegions
        || !isSystem && ofUserRegions
        || runsTableClasses && hasBuiltIn(CoprocessorClass.ofTable(region.schema()));
  }

  private static boolean hasBuiltIn(List<CoprocessorClass> classes) {
    return classes.stream()
        .anyMatch(one -> one.className().equals(TableSupport.MULTI_ROW_MUTATION));
  }
}
