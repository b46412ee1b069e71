import Testing

/// The listings of the guide's articles, each article a program.
@Suite(.serialized) struct GuideListings {}
