import Identifiers

/// A training session.
public enum TrainingSession {}
public typealias SessionID = Identifier<TrainingSession>
/// A gym of the catalog.
public enum CatalogGym {}
public typealias GymID = Identifier<CatalogGym>
/// Feedback of one participant on the other.
public enum PartnerFeedback {}
public typealias FeedbackID = Identifier<PartnerFeedback>
/// A bar from posting and joining.
public enum UserBar {}
public typealias BarID = Identifier<UserBar>
